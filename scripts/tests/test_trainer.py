"""Questions of missed moves in a real browser: on the page of a game, and on that of a folder of games."""

import asyncio
import subprocess

import pytest
from test_pages import in_browser, pytestmark  # noqa: F401  (where there is no browser, nothing is tested)

from helpers import PROGRAM

# Black misses a mate of three moves twice, White the winning moves between.
GAME = "sfen 7kl/9/6P2/8S/9/9/9/9/4K4 b GN2r2b 1 moves 5i5h 2a2b 5h5g 2b2a resign\n"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("questions")
    subprocess.run([PROGRAM, "analyze", "--nodes", "2000", "--multipv", "2", "--hash", "4", "--lang", "en",
                    "--notation", "western", "--html", folder], input=GAME, text=True, check=True,
                   stdout=subprocess.DEVNULL, timeout=120)  # fmt: skip
    if not (folder / "trainer.html").exists():
        pytest.skip("the program was built without KUROSABI_WEB")
    return folder


class Questions:
    """What a reader does with questions; ``examiner`` is the script's name for who asks them."""

    def __init__(self, page, examiner):
        self._page = page
        self._examiner = examiner

    async def look(self, expression):
        return await self._page.look(f"(examiner => {expression})({self._examiner})")

    async def text(self, selector):
        return await self._page.look(f"document.querySelector({selector!r}).innerText")

    async def _point(self, name):
        """Presses and releases the mouse over a square, or a piece in the hand of the side to move."""
        x, y = await self.look(f"""(() => {{
            examiner.board.scrollIntoView({{ block: "center" }});
            const box = examiner.board.querySelector("svg").getBoundingClientRect();
            const position = new Position(examiner.rules.sfen), name = {name!r};
            const held = handPlaces(position, position.turn, examiner.flipped).pieces;
            const [x, y] = name[1] === "*" ? held.find(([type]) => type === name[0]).slice(1)
                : middle(squareOf(name), examiner.flipped);
            return [box.x + x / WIDTH * box.width, box.y + y / HEIGHT * box.height];
        }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            await self._page.call(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1
            )

    async def play(self, move):
        """Plays a move on the board, and waits until it is judged."""
        await self._point(move[:2])
        assert await self._page.look("document.querySelectorAll('.target').length") > 0
        await self._point(move[2:4])
        if await self._page.look("document.querySelector('.choice') !== null"):
            await self._page.click(f".choice [data-move='{move}']")
        return await self.judged()

    async def judged(self):
        await self.look("""new Promise((done, fail) => {
            const begin = performance.now();
            const look = () => examiner.phase !== "thinking" ? done(0)
                : performance.now() - begin > 50000 ? fail("no answer") : setTimeout(look, 20);
            look();
        })""")
        return await self.text(".verdict")


async def open_page(page, path, size, scheme):
    page.seen = lambda message: REQUESTS.append(message["params"]["request"]["url"])
    await page.call("Network.enable")
    await page.open(path, *size, scheme)
    await page.look("new Promise(done => engine.whenReady(() => done(0)))")


REQUESTS: list[str] = []
SIZES = [((1280, 800), "light"), ((390, 844), "dark")]


@in_browser
async def test_mistakes_of_a_game_are_asked_on_its_page(page, pages):
    for size, scheme in SIZES:
        await open_page(page, pages / "stdin.html", size, scheme)
        asked = Questions(page, "practice.examiner")
        await page.click("#practise")
        assert "mate in 3" in await asked.text(".questions h2")
        assert await page.look("document.documentElement.scrollWidth") <= size[0]
        # What would give the answer away is not seen.
        assert not await page.look("[...document.querySelectorAll('main *')].some(it => it.offsetParent)")
        box = await page.look(
            "(box => [box.top, box.bottom])(document.querySelector('.questions svg').getBoundingClientRect())"
        )
        assert box[0] >= 0 and box[1] <= size[1]
        assert "no check" in await asked.play("5i4i")
        await page.key("r")
        # Another mate than that of the analysis, with the defence that the solver finds to last longest, and its own.
        assert "Go on" in await asked.play("G*3b") and await asked.look("examiner.made.length") == 2
        assert "Right!" in await asked.play("N*2d") and await asked.look("examiner.grade") == "late"
        # Its line is stepped through, and left for the game.
        await page.key("ArrowLeft")
        assert await asked.look("examiner.shown.length") == 2
        await page.look("document.querySelectorAll('.questions .word')[0].click(), 0")
        assert await asked.look("examiner.shown.length") == 1
        await page.key("n")
        assert "better move" in await asked.text(".questions h2") and "White" in await asked.text(".questions h2")
        # The best move, another that is nearly as good, that of the game, and one that only the engine knows of.
        assert "that is the best move" in await asked.play(await asked.look("examiner.expected"))
        await page.look("practice.examiner.ask(practice.asked[1]), 0")
        assert "move of the game" in await asked.play("2a2b")
        await page.key("r")
        other = await asked.look("""examiner.rules.moves.map(move => move[0]).find(move => move.startsWith("2a")
            && move !== examiner.question.played)""")
        assert "lowers the win rate" in await asked.play(other) and await asked.look("examiner.phase") == "wrong"
        await page.key("s")
        assert "solution" in await asked.text(".verdict")
        # One side's questions alone.
        await page.click("#practice button:nth-of-type(2)")
        assert await page.look("practice.asked.map(question => question.side)") == [0, 0]
        # A hint marks the piece that moves.
        await page.look("practice.examiner.ask(practice.asked[1]), 0")
        await page.key("h")
        assert await page.look("document.querySelectorAll('.questions .hint').length") == 1
        # In Japanese, and typed.
        await page.click("#language")
        assert "３手詰" in (await asked.text(".questions h2")).replace("3", "３")
        await page.look("document.querySelector('.questions input').value = '３二金打', 0")
        await page.look("document.querySelector('.questions .enter').click(), 0")
        assert "続けて" in await asked.judged()
        await page.click("#language")
        await page.key("s")
        await page.look("practice.examiner.toGame(), 0")
        assert "Black" in await page.look("document.getElementById('players').textContent")
        assert await page.look("state.node.at") == 2 and not await page.look("practice.isOpen")
        await page.look("localStorage.clear(), 0")
    assert_nothing_left()


@in_browser
async def test_questions_of_a_folder_come_again_by_how_they_went(page, pages):
    for size, scheme in SIZES:
        await open_page(page, pages / "trainer.html", size, scheme)
        asked = Questions(page, "trainer.examiner")
        assert await asked.text("#about") == "0 due, 4 new, 4 in all"
        assert await page.look("document.documentElement.scrollWidth") <= size[0]
        assert "stdin.html#0" in await page.look("document.querySelector('.questions .about a').href")
        await asked.play("G*3b")
        assert "Right!" in await asked.play("N*2d")
        await page.key("n")
        await page.key("s")
        await page.key("n")
        assert await asked.text("#about") == "0 due, 2 new, 4 in all"
        # What was found at once comes tomorrow, what was shown in ten minutes; another visit knows.
        await open_page(page, pages / "trainer.html", size, scheme)
        await page.look("Date.now = (now => () => now() + 11 * 60000)(Date.now), trainer.next(), 0")
        assert await asked.text("#about") == "1 due, 2 new, 4 in all"
        assert await asked.look("examiner.question.moves") == 1
        await page.look("Date.now = (now => () => now() + 24 * 3600000)(Date.now), trainer.next(), 0")
        assert await asked.text("#about") == "2 due, 2 new, 4 in all"
        # Only mates, and when there is none left to ask.
        await page.look(
            "kind = document.getElementById('kind'), kind.value = 'mate', kind.dispatchEvent(new Event('change')), 0"
        )
        for _ in range(2):
            await page.key("s")
            await page.key("n")
        assert "next question is due in 10 minutes" in await asked.text("#idle")
        await page.click("#idle button")
        assert "mate in 3" in await asked.text(".questions h2")
        # Taken to another browser as text.
        await page.look("document.getElementById('progress').open = true, 0")
        await page.click("#write")
        kept = await page.look("document.getElementById('kept').value")
        assert kept.startswith("kurosabi progress 1\n0 ") and kept.count("\n") == 3
        await page.look("localStorage.clear(), 0")
        await open_page(page, pages / "trainer.html", size, scheme)
        assert await asked.text("#about") == "0 due, 4 new, 4 in all"
        for text, said in (("nonsense", "no progress"), (kept, "3 questions")):
            await page.look(
                f"document.getElementById('kept').value = {text!r}, document.getElementById('read').click(), 0"
            )
            assert said in await page.look("document.getElementById('kept-said').textContent")
        assert await asked.text("#about") == "0 due, 1 new, 4 in all"
        # A damaged line costs no other, and what another page has kept meanwhile stays.
        other = "1 damaged\\n3 2099-01-01T00:00:00.000Z of another page"
        await page.look(f"localStorage['kurosabi-progress'] += '\\n{other}', 0")
        kept = await page.look("progress.take(Object.keys(progress.cards)[0], 'late'), store.get('progress')")
        assert kept.count("\n") == 4 and kept.endswith("of another page")
        # Where the browser keeps no more, the reader learns it.
        fill = "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }"
        await page.look(f"{fill}, progress.take(Object.keys(progress.cards)[0], 'late'), trainer.show(), 0")
        assert "Write it as text" in await asked.text("#not-kept")
        await page.click("#language")
        assert await asked.text("h1") == "次の一手" and "手詰" in await asked.text(".questions h2")
        await page.look("localStorage.clear(), 0")
    assert_nothing_left()


@in_browser
async def test_hostile_names_are_shown_as_text(page, pages):
    name = '<img src=x onerror="hacked=1"></script><b>\u202e'
    moves = "+7776FU\n-3334FU\n+6978KI\n-2288UM\n+2818HI\n-8877UM\n%TORYO\n"
    (pages / "a&b#.csa").write_text(f"V2.2\nN+{name}\nN-{name}\nPI\n+\n{moves}", encoding="utf-8")
    arguments = ["--nodes", "2000", "--hash", "4", "--html", pages / "hostile", pages / "a&b#.csa"]
    subprocess.run([PROGRAM, "analyze", *arguments], check=True, stdout=subprocess.DEVNULL, timeout=120)
    shown = '☗ <img src=x onerror="hacked=1"></script><b>\\u{202e}'
    await open_page(page, pages / "hostile" / "a&b#.html", *SIZES[0])
    await page.click("#practise")
    assert shown in await page.look("document.querySelector('.questions h2').textContent")
    assert shown in await page.look("document.getElementById('practice').textContent")
    await open_page(page, pages / "hostile" / "trainer.html", *SIZES[0])
    assert shown in await page.look("document.querySelector('.questions h2').textContent")
    assert await page.look("document.querySelectorAll('#player option').length") == 2
    await page.look("document.querySelector('.questions .about a').click(), 0")
    for _ in range(100):
        await asyncio.sleep(0.1)
        if await page.look("location.pathname.endsWith('/a%26b%23.html') && document.readyState === 'complete'"):
            break
    assert shown in await page.look("document.getElementById('players').textContent")
    assert await page.look("typeof hacked") == "undefined"


def assert_nothing_left():
    """No request leaves the page."""
    assert REQUESTS and all(url.startswith(("file:", "blob:", "data:")) for url in REQUESTS), REQUESTS
