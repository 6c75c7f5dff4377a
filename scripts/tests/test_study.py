"""The engine in the page: moves made on the board, own variations, live evaluation, games against it."""

import asyncio
import base64
import shutil
import subprocess

from test_pages import GAME, in_browser, pages, pytestmark, with_engine

from helpers import PROGRAM

__all__ = ["pages", "pytestmark"]

SIZES = ((1280, 800, "light"), (390, 844, "dark"))
NOW = "document.getElementById('now').textContent"


async def ready(page):
    await page.look("new Promise(done => engine.whenReady(() => done(0)))")


async def point(page, place):
    """Where a square (``7g``) or a piece in hand (``P*``) is on the screen."""
    return await page.look(f"""(() => {{
        const board = document.querySelector("#board svg");
        board.scrollIntoView({{ block: "center", behavior: "instant" }});
        const box = board.getBoundingClientRect(), place = "{place}";
        const [x, y] = place[1] === "*"
            ? handPlaces(shown(), shown().turn, state.flipped).pieces.find(piece => piece[0] === place[0]).slice(1)
            : middle(squareOf(place), state.flipped);
        return [box.x + x / WIDTH * box.width, box.y + y / HEIGHT * box.height];
    }})()""")


async def mouse(page, kind, place, buttons):
    x, y = await point(page, place)
    await page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=buttons, clickCount=1)


async def tap(page, place, touch=False):
    if touch:
        x, y = await point(page, place)
        await page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        await page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    else:
        await mouse(page, "mousePressed", place, 1)
        await mouse(page, "mouseReleased", place, 0)


async def soon(page, expression):
    """Waits until an expression holds."""
    for _ in range(300):
        if await page.look(expression):
            return
        await asyncio.sleep(0.1)
    raise AssertionError(expression)


async def name_first(page, name):
    await page.look("field = document.querySelector('#own .name'), 0")
    await page.look(f"field.value = {name!r}, field.dispatchEvent(new Event('change')), 0")


@with_engine
async def test_moves_are_made_by_tap_drag_and_keys(page, pages):
    for width, height, scheme in SIZES:
        await page.open(pages / "stdin.html", width, height, scheme)
        await ready(page)
        touch = width < 600
        await page.call("Emulation.setTouchEmulationEnabled", enabled=touch)
        # A piece shows where it can go; the move of the game goes on in the game, another one leaves it.
        await tap(page, "7g", touch)
        assert await page.look("document.querySelectorAll('.target').length") == 1
        await tap(page, "7f", touch)
        assert await page.look("state.node === nodes[1]")
        await tap(page, "5c", touch)
        await tap(page, "5d", touch)
        assert await page.look("state.node.isOwn && state.node.parent === nodes[1]"), width
        # It is Black's turn: White's pieces stay, and a tap on them means nothing else.
        await tap(page, "5a", touch)
        await tap(page, "3c", touch)
        assert await page.look("pathTo(state.node).length") == 2
        # A promotion is asked for.
        await page.look("goTo(nodes[6]), 0")
        await tap(page, "8h", touch)
        await tap(page, "2b", touch)
        assert await page.look("document.querySelectorAll('.choice [data-move]').length") == 2
        await tap(page, "2b" if await page.look("!state.flipped") else "8h", touch)
        assert await page.look("state.node === nodes[7]")
        # A drop from the hand, somewhere else than in the game.
        await page.look("goTo(nodes[8]), 0")
        await tap(page, "B*", touch)
        assert await page.look("document.querySelectorAll('.target').length") > 30
        await tap(page, "6e", touch)
        assert await page.look("state.node.move[0]") == "B*6e"
    # Dragged, and dropped where it may not go.
    await page.open(pages / "stdin.html", 1280, 800)
    await ready(page)
    for target, made in (("2e", 0), ("2f", 1)):
        await mouse(page, "mousePressed", "2g", 1)
        await mouse(page, "mouseMoved", "2f", 1)
        await mouse(page, "mouseMoved", target, 1)
        await mouse(page, "mouseReleased", target, 0)
        assert await page.look("pathTo(state.node).length") == made
    await page.look("goTo(nodes[6]), document.getElementById('board').focus(), 0")
    for key in ("Enter", *["ArrowLeft"] * 3, *["ArrowDown"] * 3, "Enter"):
        await page.key(key)
    assert await page.look("input.from + ' ' + document.querySelector('.unseen').textContent") == "8h 8h ☗角"
    for key in (*["ArrowRight"] * 6, *["ArrowUp"] * 6, "Enter", "-"):
        await page.key(key)
    assert await page.look("state.node.move[0]") == "8h2b"
    # Letters take pieces from the hand; Escape gives up, and then leaves the keys to the page.
    await page.look("goTo(nodes[8]), 0")
    await page.key("b")
    assert await page.look("input.from") == "B*"
    for key in ("Escape", "Escape", "Home"):
        await page.key(key)
    assert await page.look("state.node === nodes[0] && input.cursor === null")


@with_engine
async def test_own_variations_are_walked_named_kept_and_deleted(page, pages):
    hostile = "<img src=x onerror=alert(1)> 急戦"
    for place in ("2g", "2f", "8c", "8d"):
        await tap(page, place)
    assert await page.look("document.querySelectorAll('#own li').length") == 1
    await page.key("ArrowLeft")
    await tap(page, "3c")
    await tap(page, "3d")
    assert await page.look("[...document.querySelectorAll('#own .words')].map(row => row.children.length)") == [2, 1]
    await name_first(page, hostile)
    await soon(page, "location.hash.startsWith('#0/2g2f,3c3d')")
    link = await page.look("location.href")
    # The same after the page is opened again; and from a link, with its name, in a browser that knows nothing of it.
    await page.open(pages / "stdin.html", 390, 844, "dark")
    await ready(page)
    assert await page.look("[...document.querySelectorAll('#own .words')].map(row => row.children.length)") == [2, 1]
    assert await page.look("document.querySelector('#own .name').value") == hostile
    await page.look("localStorage.clear()")
    await page.call("Page.navigate", url="about:blank")
    await page.call("Page.navigate", url=link)
    await soon(page, "typeof engine !== 'undefined' && engine.ask && document.querySelector('#own .words') !== null")
    assert await page.look("pathTo(state.node).map(node => node.move[0]).join(' ')") == "2g2f 3c3d"
    assert await page.look("document.querySelector('#own .name').value") == hostile
    # A link with moves that are illegal goes as far as they are legal.
    await page.look("location.hash = '#2/2g2f,1a1a', 0")
    await soon(page, "pathTo(state.node).length === 3 || state.node === nodes[3]")
    await page.click("#own .remove")
    assert await page.look("document.querySelectorAll('#own .words').length") == 0
    assert await page.look("nodes[0].children.length") == 1


@with_engine
async def test_variations_of_a_page_in_two_tabs_are_all_kept(page, pages):
    await tap(page, "2g")
    await tap(page, "2f")
    other = "[...JSON.parse(store.get(keptName)), { at: 2, moves: '9g9f', names: ['other'] }]"
    await page.look(f"store.set(keptName, JSON.stringify({other})), goTo(nodes[0]), 0")
    await tap(page, "1g")
    await tap(page, "1f")
    assert await page.look("JSON.parse(store.get(keptName)).map(line => line.moves).join(' ')") == "2g2f 1g1f 9g9f"
    assert await page.look("ownRows().map(first => first.name)") == ["", "", "other"]


@with_engine
async def test_the_reader_learns_that_a_full_browser_keeps_no_variations(page, pages):
    notice = "document.getElementById('own-kept').textContent"
    await page.look("localStorage.filler = 'x'.repeat(5 * 1024 * 1024 - 'filler'.length), 0")
    await tap(page, "2g")
    await tap(page, "2f")
    assert "Copy the KIF" in await page.look(notice)
    await page.click("#language")
    assert "KIFをコピー" in await page.look(notice)
    await page.look("localStorage.removeItem('filler'), 0")
    await tap(page, "8c")
    await tap(page, "8d")
    assert await page.look(notice) == "" and await page.look("JSON.parse(store.get(keptName))[0].moves") == "2g2f 8c8d"


@with_engine
async def test_what_is_copied_out(page, pages):
    await page.look("navigator.clipboard.writeText = async text => { window.copied = text; }, 0")
    for place in ("2g", "2f", "8c", "8d"):
        await tap(page, place)
    await name_first(page, "居飛車")

    async def copy(kind):
        await page.look("window.copied = null, 0")
        await page.click(f"#copy-{kind}")
        await soon(page, "window.copied !== null")
        return await page.look("copied")

    kif = await copy("kif")
    assert "   1 ７六歩(77)+" in kif and "変化：1手" in kif and "*居飛車" in kif and "２六歩(27)" in kif
    assert await copy("sfen") == "lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL b - 3"
    assert "| ・v飛 ・ ・ ・ ・ ・v角 ・|二" in await copy("bod")
    assert (await copy("link")).endswith("stdin.html#0/2g2f,8c8d/%E5%B1%85%E9%A3%9B%E8%BB%8A")
    picture = await page.look("""boardPicture().then(picture => new Promise(done => {
        const reader = new FileReader();
        reader.onload = () => done(reader.result.split(",")[1]);
        reader.readAsDataURL(picture);
    }))""")
    picture = base64.b64decode(picture)
    assert picture.startswith(b"\x89PNG") and len(picture) > 20_000


@with_engine
async def test_live_evaluation_follows_the_board(page, pages):
    # It is off until somebody wants it.
    assert await page.look("live.searcher === null && document.querySelectorAll('#live .word').length === 0")
    await page.click("#live-switch")
    await soon(page, "document.querySelectorAll('#live .word').length > 10")
    assert "nodes/s" in await page.look("document.getElementById('live-speed').textContent")
    assert await page.look("document.querySelectorAll('#board .proposal').length") == 3
    # A line is walked by a click, and the engine looks at the position reached.
    await page.click("#live .pv:nth-child(1) .word:nth-child(2)")
    assert await page.look("state.line.made === 2 && live.position.endsWith(state.line.moves[1][0])")
    await soon(page, "live.lines.length === 3")
    # The search before it is stopped at once.
    waited = await page.look("""new Promise(done => {
        const begun = performance.now();
        go(4);
        const look = () => live.lines.length > 0 ? done(performance.now() - begun) : setTimeout(look, 5);
        look();
    })""")
    assert waited < 1500
    # What is over needs no search; off is off, and both are remembered.
    await page.open(pages / "stdin.html", 390, 844, "dark")
    await ready(page)
    await soon(page, "document.querySelectorAll('#live .word').length > 10")
    await page.key("e")
    assert await page.look("live.position === null && document.querySelectorAll('#live .pv').length === 0")
    await page.open(pages / "stdin.html", 390, 844)
    await ready(page)
    assert await page.look("live.searcher === null")


@with_engine
async def test_a_game_is_played_on_from_a_position(page, pages):
    await page.look("go(4), document.getElementById('level').value = '3', 0")
    await page.click("#play-on")
    await tap(page, "2f")
    await tap(page, "2e")
    # Nothing can be moved for the engine.
    await soon(page, "pathTo(state.node).length === 6 && !live.game.isThinking")
    assert await page.look("state.node.isOwn || state.node === nodes[6]")
    await page.click("#take-back")
    assert await page.look("state.node === nodes[4]")
    await tap(page, "9g")
    await tap(page, "9f")
    await soon(page, "pathTo(state.node).length === 6 && !live.game.isThinking")
    await page.click("#take-back")
    assert await page.look("state.node === nodes[4] && nodes[4].children.length === 1")
    # There is nothing before the position that it began with.
    await page.click("#take-back")
    assert await page.look("state.node === nodes[4]")
    # The other side: the engine moves first.
    await page.click("#end-game")
    await page.look("document.getElementById('side').value = '1', 0")
    await page.click("#play-on")
    await soon(page, "pathTo(state.node).length === 5 && !live.game.isThinking")
    assert await page.look("state.flipped && shown().turn === 1")
    # It moves where it was left in thought, when the reader is back.
    await page.look("takeBack(), step(-1), 0")
    await soon(page, "!live.game.isThinking")
    assert await page.look("state.node === nodes[3]")
    await page.key("ArrowRight")
    await soon(page, "pathTo(state.node).length === 5 && shown().turn === 1")


@with_engine
async def test_without_a_worker_there_are_moves_and_no_searches(page, pages):
    await page.look("Worker = class { constructor() { throw new Error('refused'); } }, 0")
    await page.click("#play-on")
    await tap(page, "2g")
    await tap(page, "2f")
    await soon(page, "live.game === null && document.documentElement.classList.contains('searchless')")
    assert await page.look("document.querySelector('.live').offsetParent === null && ownRows().length === 1")
    assert await page.look("setLive(), setLive(), step(-1), step(1), input.board.game() !== null")


@with_engine
async def test_nothing_is_fetched_and_without_the_engine_the_page_is_as_it_was(page, pages):
    addresses = []
    page.seen = lambda message: addresses.append(message["params"]["request"]["url"])
    await page.open(pages / "stdin.html", 1280, 800)
    await ready(page)
    await page.click("#live-switch")
    await soon(page, "live.lines.length > 0")
    await page.click("#live-switch")
    assert addresses and all(address.startswith(("file:", "blob:", "data:")) for address in addresses), addresses
    # A browser that cannot unpack it, and a page whose file beside it is gone.
    text = (pages / "stdin.html").read_text(encoding="utf-8")
    start, end = text.index('<script id="engine"'), text.rindex("</script>")
    for name, script in (("gone", '<script id="engine" src="kurosabi-00000000.js" async>'),
                         ("old", "<script>DecompressionStream = undefined;</script>" + text[start:end])):  # fmt: skip
        (pages / f"{name}.html").write_text(text[:start] + script + text[end:], encoding="utf-8")
        await page.open(pages / f"{name}.html", 1280, 800)
        await asyncio.sleep(0.5)
        shown = "['.own', '.live', '#practise'].some(part => document.querySelector(part).offsetParent)"
        assert await page.look(f"engine.ask === null && !{shown}")
        await page.click("#board svg", 0.8)
        assert "▲P-7f" in await page.look(NOW)


@in_browser
async def test_a_folder_has_the_engine_once(page, pages):
    if 'id="engine"' not in (pages / "stdin.html").read_text(encoding="utf-8"):
        return
    folder = pages / "folder"
    shutil.rmtree(folder, ignore_errors=True)
    command = [PROGRAM, "analyze", "--nodes", "100", "--hash", "4", "--lang", "en", "--html", folder]
    subprocess.run(command, input=GAME * 3, text=True, check=True, stdout=subprocess.DEVNULL, timeout=120)
    [engine] = folder.glob("kurosabi-*.js")
    assert engine.stat().st_size > 1_000_000
    names = ["stdin.html", "stdin-2.html", "stdin-3.html"]
    assert all((folder / name).stat().st_size < 300_000 for name in names)
    for name in names:
        await page.open(folder / name, 390, 844)
        await ready(page)
        await tap(page, "2g")
        assert await page.look("document.querySelectorAll('.target').length") == 1
