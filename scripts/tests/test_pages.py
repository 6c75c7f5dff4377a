"""The page of a game in a real browser: opened, stepped through with keys and mouse, and clicked."""

import asyncio
import json
import shutil
import subprocess
from urllib.request import urlopen

import pytest
from tornado.websocket import websocket_connect

from helpers import PROGRAM, wait_until

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
GAME = "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 8h2b+ 3a2b B*5e 2b3c 5e8h\n"

LOADED = "document.readyState === 'complete' && document.body !== null"
# What the engine brings moves other parts of the page: a click before that may miss.
ENGINE_IS_SETTLED = """(typeof engine === 'undefined' || engine.ask !== null
    || document.documentElement.classList.contains('engineless'))"""

pytestmark = [
    pytest.mark.skipif(BROWSER is None, reason="there is no chromium"),
    pytest.mark.skipif(PROGRAM is None, reason="kurosabi is not built"),
]


class Page:
    """A page that is driven over Chromium's DevTools protocol."""

    def __init__(self, socket):
        self._socket = socket
        self._number = 0
        self.errors: list[str] = []
        self.seen = None

    async def call(self, method, **parameters):
        self._number += 1
        await self._socket.write_message(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            message = json.loads(await asyncio.wait_for(self._socket.read_message(), 60))
            if message.get("method") == "Runtime.exceptionThrown":
                self.errors.append(json.dumps(message["params"]))
            if message.get("method") == "Network.requestWillBeSent" and self.seen:
                self.seen(message)
            if message.get("id") == self._number:
                assert "error" not in message, message
                return message["result"]

    async def look(self, expression):
        """The value of a JavaScript expression."""
        answer = await self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    async def open(self, path, width, height, scheme="light"):
        await self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                        mobile=width < 600)  # fmt: skip
        await self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        await self.call("Page.navigate", url=path.as_uri())
        for _ in range(300):
            if await self.look(f"document.title !== '' && {LOADED} && {ENGINE_IS_SETTLED}"):
                return
            await asyncio.sleep(0.1)
        raise AssertionError("the page does not come")

    async def key(self, key):
        await self.call("Input.dispatchKeyEvent", type="keyDown", key=key)
        await self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    async def click(self, selector, share=0.5):
        """A click in the middle of an element, or at this share of its width."""
        x, y = await self.look(f"""(() => {{
            const element = document.querySelector({selector!r});
            element.scrollIntoView({{ block: "center" }});
            const box = element.getBoundingClientRect();
            return [box.x + box.width * {share}, box.y + box.height / 2];
        }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            await self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)


def in_browser(visit):
    """Makes a test of ``visit``, which gets a page of a browser of its own and the folder of ``pages``."""

    def test(pages, tmp_path):
        command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
                   f"--user-data-dir={tmp_path}", "about:blank"]  # fmt: skip
        browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            asyncio.run(go(pages, tmp_path / "DevToolsActivePort"))
        finally:
            browser.kill()
            browser.wait()

    async def go(pages, port):
        wait_until(lambda: port.exists() and port.read_text().count("\n") > 0, seconds=60)
        with urlopen(f"http://127.0.0.1:{port.read_text().splitlines()[0]}/json/list", timeout=30) as answer:
            address = next(target["webSocketDebuggerUrl"] for target in json.load(answer) if target["type"] == "page")
        page = Page(await websocket_connect(address, max_message_size=1 << 26))
        await page.call("Runtime.enable")
        await visit(page, pages)
        assert page.errors == []

    return test


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    subprocess.run([PROGRAM, "analyze", "--nodes", "2000", "--multipv", "2", "--hash", "4", "--lang", "en",
                    "--notation", "western", "--html", folder], input=GAME, text=True, check=True,
                   stdout=subprocess.DEVNULL, timeout=120)  # fmt: skip
    return folder


@in_browser
async def test_keys_clicks_and_switches(page, pages):
    await page.open(pages / "stdin.html", 1280, 900)
    now = "document.getElementById('now').textContent"
    pieces = "document.querySelectorAll('#board svg > g').length"
    assert "Start" in await page.look(now)
    await page.key("ArrowRight")
    assert "▲P-7f" in await page.look(now)
    await page.key("End")
    assert "11 ▲B-8h" in await page.look(now)
    await page.key("Home")
    await page.click("#forward")
    assert "▲P-7f" in await page.look(now)
    # The right half of the board steps forward, the left half back.
    await page.click("#board svg", 0.8)
    assert "△P-3d" in await page.look(now)
    await page.click("#board svg", 0.2)
    assert "▲P-7f" in await page.look(now)
    await page.click("#moves li:nth-child(8)")
    assert "7 ▲Bx2b+" in await page.look(now)
    await page.click("#graph svg", 0.98)
    assert "11 ▲B-8h" in await page.look(now)
    # A line is played out on the board, and left again.
    await page.key("Home")
    await page.key("1")
    assert "(1/" in await page.look(now)
    assert await page.look("document.querySelectorAll('#lines [aria-current]').length") == 1
    await page.click("#lines .pv:nth-child(2) .word:nth-child(2)")
    assert "(2/" in await page.look(now)
    await page.click("#way")
    assert "Start" in await page.look(now) and await page.look(pieces) == 43
    # Languages, notations, pieces, sides and themes.
    await page.click("#language")
    assert await page.look("document.documentElement.lang") == "ja"
    await page.key("ArrowRight")
    assert "▲７六歩" in await page.look(now)
    for notation, text in (("usi", "▲7g7f"), ("numeric", "▲P-76")):
        await page.look(f"notation = document.getElementById('notation'), notation.value = '{notation}', "
                        "notation.dispatchEvent(new Event('change')), 0")  # fmt: skip
        assert text in await page.look(now)
    for switch in ("#pieces", "#flip", "#theme"):
        before = await page.look("document.documentElement.outerHTML")
        await page.click(switch)
        assert await page.look("document.documentElement.outerHTML") != before, switch


@in_browser
async def test_the_language_chosen_holds_on_every_page_with_its_notation(page, pages):
    async def first_move():
        await page.open(pages / "stdin.html", 1280, 900)
        await page.key("ArrowRight")
        return await page.look("document.documentElement.lang + document.getElementById('now').textContent")

    assert "en1 ▲P-7f" in await first_move()
    # Chosen in the list of games, and then on a game's page.
    await page.open(pages / "index.html", 1000, 700)
    await page.click("#language")
    assert "ja1 ▲７六歩" in await first_move()
    await page.click("#language")
    assert "en1 ▲P-7f" in await first_move()
    await page.click("#language")
    assert "ja1 ▲７六歩" in await first_move()


@in_browser
async def test_it_fits_phones_and_desktops(page, pages):
    for width, height, scheme in ((360, 740, "light"), (768, 1024, "dark"), (1440, 900, "light")):
        await page.open(pages / "stdin.html", width, height, scheme)
        assert await page.look("document.documentElement.scrollWidth") <= width
        box = await page.look("(box => [box.left, box.right, box.width])(document.querySelector('#board svg')"
                              ".getBoundingClientRect())")  # fmt: skip
        assert box[0] >= 0 and box[1] <= width and box[2] > 300
    await page.open(pages / "index.html", 1000, 700)
    assert await page.look("document.querySelectorAll('#list tbody tr').length") == 1
    await page.click("#list a")
    await asyncio.sleep(1)
    assert (await page.look("location.pathname")).endswith("/stdin.html")


@in_browser
async def test_the_list_of_many_games_is_searched_filtered_sorted_and_summed(page, pages):
    def side(opening, accuracy):
        return {"opening": opening, "castle": None, "missed": 1, "lost": 0,
                "phases": [{"moves": 10, "accuracy": 10 * accuracy, "mistakes": [0, 1, 0]}] * 3}  # fmt: skip

    yagura, ishida = {"en": "Yagura", "ja": "矢倉"}, {"en": "Ishida", "ja": "石田流"}
    games = [
        {"file": f"{number}.html", "black": "<b>Kuro" if number % 2 else "Shiro", "white": f"Player {number}",
         "date": f"2024/{number % 12 + 1}/03", "event": "League", "opening": yagura if number % 3 else ishida,
         "result": {"en": "Black wins (resignation)", "ja": "先手勝ち（投了）"}, "winner": number % 2,
         "moves": 100 + number, "accuracy": [90, 80], "rates": [0.5, 0.6], "mistakes": 6,
         "sides": [side(yagura, 90), side(ishida, 80)]}
        for number in range(300)
    ]  # fmt: skip
    before, rest = (pages / "index.html").read_text(encoding="utf-8").split('id="data">')
    data = json.dumps({"language": "en", "games": games}).replace("<", "\\u003c")
    many = pages / "many.html"
    many.write_text(f'{before}id="data">{data}{rest[rest.index("</script>") :]}', encoding="utf-8")
    rows = "document.querySelectorAll('#list tbody tr').length"
    for width, height in ((390, 844), (1280, 800)):
        await page.open(many, width, height)
        for _ in range(100):
            if await page.look(rows) == 300:
                break
            await asyncio.sleep(0.1)
        assert await page.look(rows) == 300
        assert await page.look("document.documentElement.scrollWidth") <= width
        assert await page.look(
            "[...document.querySelectorAll('#list td')].every(it => it.scrollWidth <= it.clientWidth)"
        )
        # Words for what is sought, in either language, in any order.
        await page.look("(q => { q.value = '石田流 player\u3000300'; q.dispatchEvent(new Event('input')); })($('q'))")
        assert await page.look("$('about').textContent") == "0 of 300 games"
        await page.look("(q => { q.value = '石田流 player\u3000297'; q.dispatchEvent(new Event('input')); })($('q'))")
        assert await page.look("$('about').textContent") == "1 of 300 games"
        await page.click("#clear")
        await page.look("(it => { it.value = 'moves'; it.dispatchEvent(new Event('change')); })($('sort'))")
        assert "Player 299" in await page.look("document.querySelector('#list tbody tr').textContent")
        await page.look("(it => { it.value = '<b>Kuro'; it.dispatchEvent(new Event('change')); })($('player'))")
        assert await page.look("$('about').textContent") == "150 of 300 games"
        summary = await page.look("$('players').textContent")
        assert "<b>Kuro" in summary and "0 – 150 – 0" in summary and "Mates missed: 150." in summary, summary
        await page.look("(it => { it.value = 'won'; it.dispatchEvent(new Event('change')); })($('result'))")
        assert await page.look("$('about').textContent") == "0 of 300 games"
    # The address keeps what was chosen, for the way back from a game.
    assert "player=%3Cb%3EKuro" in await page.look("location.hash")


def with_engine(visit):
    """The same as ``in_browser``, where the program puts the engine into its pages."""

    @in_browser
    async def go(page, pages):
        if 'id="engine"' not in (pages / "stdin.html").read_text(encoding="utf-8"):
            pytest.skip("the program was built without KUROSABI_WEB")
        await page.call("Network.enable")
        await page.open(pages / "stdin.html", 1280, 800)
        await page.look("new Promise(done => engine.whenReady(() => done(0)))")
        await visit(page, pages)

    return go


@with_engine
async def test_the_engine_in_the_page_answers(page, pages):
    ask = "engine.ask({ position: 'startpos moves 7g7f', lines: ['3c3d 8h2b+ 3a2b 9i9a'] })"
    assert await page.look(f"{ask}.moves.length") == 30
    assert await page.look(f"{ask}.lines[0].map(move => move[1])") == ["△３四歩", "▲２二角成", "△同\u3000銀"]
    assert "IllegalMove" not in await page.look("engine.ask({ position: 'startpos moves 7g7e' }).error")
    # A search that goes on for ever is stopped by the next one, at once.
    answers = await page.look("""(async () => {
        const searcher = engine.start(), infos = [];
        const search = (position, go) => searcher.search({ position, go, onInfo: info => infos.push(info) });
        const first = search("startpos", "infinite");
        await new Promise(done => setTimeout(done, 300));
        const asked = performance.now();
        const second = await search("sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1", "depth 5");
        return [await first, second, performance.now() - asked, infos.some(info => info.score[0] === "mate")];
    })()""")
    assert answers[0] is None and answers[1][:2] == ["bestmove", "G*5b"], answers
    assert answers[2] < 5000 and answers[3]
