"""The lesson at each mistake, the record's own variations, and pages for everyone: phones, keys, contrast, print."""

import subprocess
from pathlib import Path

import pytest
from test_pages import in_browser, pytestmark

from helpers import PROGRAM, SCRIPTS

__all__ = ["pytestmark"]

NOW = "document.getElementById('now').textContent"
LESSON = "document.getElementById('lesson').textContent"
AXE = SCRIPTS.parent / "target/axe/node_modules/axe-core/axe.min.js"  # npm install --prefix target/axe axe-core
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
HOSTILE = "<img src=x onerror=alert(1)>\x1b]0;title\x07\u202e</script><script>alert(2)</script>"
# Black gives its bishop away with the third move, White its rook with the sixth. Names and comments are hostile.
RECORD = f"""手合割：平手
先手：{HOSTILE}
後手：{{{{後手}}}} & "Shiro"
*{HOSTILE}
   1 ７六歩(77)   ( 0:05/00:00:05)
   2 ３四歩(33)   ( 1:10/00:01:10)
   3 ５五角(88)   ( 0:01/00:00:06)
   4 同　角(22)   ( 0:02/00:01:12)
   5 ２六歩(27)   ( 0:01/00:00:07)
   6 ７二飛(82)   ( 0:01/00:01:13)
   7 ２五歩(26)   ( 0:01/00:00:08)
   8 ７四歩(73)   ( 0:01/00:01:14)
   9 ２四歩(25)   ( 0:01/00:00:09)
  10 ８八角成(55) ( 0:01/00:01:15)
  11 投了

変化：3手
   3 ２六歩(27)
*A comment of the variation
   4 ８四歩(83)
   5 ２五歩(26)
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lesson")
    handicap = ["３二銀(31)", "７六歩(77)", "４二玉(51)", "３三角成(88)", "同　銀(32)"]
    rounds = ["３八飛(28)", "７二飛(82)", *["２八飛(38)", "８二飛(72)", "３八飛(28)", "７二飛(82)"] * 3]

    def record(start, moves):
        return f"手合割：{start}\n" + "".join(f"{number:4} {move}\n" for number, move in enumerate(moves, 1))

    games = {"game": RECORD, "handicap": record("六枚落ち", handicap), "rounds": record("平手", rounds)}
    games["behind"] = (
        record("平手", ["７六歩(77)", "３四歩(33)", "投了"]) + "\n変化：3手\n   3 ２六歩(27)\n   4 ８四歩(83)\n"
    )
    for name, text in games.items():
        (folder / f"{name}.kif").write_text(text, encoding="utf-8")
    records = [folder / f"{name}.kif" for name in games]
    subprocess.run([PROGRAM, "analyze", "--depth", "6", "--multipv", "2", "--hash", "4", "--lang", "en",
                    "--notation", "western", "--html", folder, *records], check=True,
                   stdout=subprocess.DEVNULL, timeout=180)  # fmt: skip
    return folder


async def tap(page, selector):
    """A tap where the element is on the screen; the page does not scroll for it."""
    x, y = await page.look(f"""(() => {{
        const box = document.querySelector({selector!r}).getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    }})()""")
    for kind in ("mousePressed", "mouseReleased"):
        await page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)


@in_browser
async def test_a_mistake_shows_the_move_played_and_the_better_one(page, pages):
    for size in ((1280, 800), (390, 844)):
        await page.open(pages / "game.html", *size)
        await page.look("localStorage.clear(), setWhose(null), 0")
        await page.key("ArrowDown")
        assert await page.look("state.node.at") == 2  # the position before the mistake
        assert "Move 3 ▲B-5e" in await page.look(LESSON) and "'s chance to win fell from" in await page.look(LESSON)
        played, better = await page.look(
            "[...document.querySelectorAll('.way-of .word:first-child')].map(word => word.textContent)"
        )
        assert played == "▲B-5e" and better not in (played, "")
        assert await page.look("document.querySelectorAll('#board .proposal').length") == 2
        # Both lines are played out on the board, by clicks and keys; the lesson stays.
        await page.click(".played .word:nth-child(2)")
        assert "△Bx5e (2/" in await page.look(NOW)
        await page.click(".better .word:first-child")
        assert f"{better} (1/" in await page.look(NOW)
        await page.key("ArrowRight")
        assert "(2/" in await page.look(NOW) and "Move 3 ▲B-5e" in await page.look(LESSON)
        await page.key("Escape")
        # After the move it is the same lesson.
        await page.key("ArrowRight")
        assert "3 ▲B-5e" in await page.look(NOW) and "Move 3 ▲B-5e" in await page.look(LESSON)
        # Mistakes of one side: chosen, kept, and found by one key or tap.
        await page.key("m")
        await page.key("m")
        assert await page.look("document.getElementById('whose').value") == "1"
        await page.open(pages / "game.html", *size)
        await page.click("#worse-forward")
        assert await page.look("state.node.turn") == 1
        await page.key("m")
        await page.click(
            "#next-mistake" if await page.look("document.getElementById('next-mistake') !== null") else "#first"
        )


@in_browser
async def test_key_moments_stand_once_and_lead_before_the_mistake(page, pages):
    await page.open(pages / "game.html", 1280, 800)
    moments = await page.look("[...document.querySelectorAll('#moments span:first-child')].map(row => row.textContent)")
    assert len(moments) == len(set(moments)) > 0
    assert moments[0] == "Move 3 ▲B-5e"
    await page.click("#moments li:first-child button")
    assert await page.look("state.node.at") == 2


@in_browser
async def test_points_are_shown_where_a_handicap_has_decided_the_game(page, pages):
    await page.open(pages / "handicap.html", 1280, 800)
    assert await page.look("document.getElementById('graph-title').textContent") == "Evaluation in pawns"
    assert not await page.look("document.getElementById('graph').textContent.includes('%')")
    await page.look("go(3), 0")
    assert "Black lost" in await page.look(LESSON) and "pawns" in await page.look(LESSON)
    await page.key("l")
    assert "下手が評価値で" in await page.look(LESSON)


@in_browser
async def test_a_variation_behind_the_end_of_the_game_is_shown(page, pages):
    await page.open(pages / "behind.html", 390, 844)
    words = "[...document.querySelectorAll('#variations .word')].map(word => word.textContent)"
    for key in ("End", "ArrowRight", "ArrowRight"):
        await page.key(key)
        assert await page.look(words) == ["▲P-2f", "△P-8d"], key
    assert "variation: 4 △P-8d" in await page.look(NOW)


@in_browser
async def test_variations_comments_times_and_the_ending_are_shown(page, pages):
    await page.open(pages / "game.html", 1280, 800)
    await page.look("go(2), 0")
    assert "1:10" in await page.look(NOW)
    await page.click("#variations .word:nth-child(1)")
    assert "variation: 3 ▲P-2f" in await page.look(NOW)
    assert "A comment of the variation" in await page.look("document.getElementById('notes').textContent")
    await page.key("ArrowRight")
    await page.key("ArrowRight")
    assert "variation: 5 ▲P-2e" in await page.look(NOW)
    await page.key("ArrowRight")
    assert "variation: 5 ▲P-2e" in await page.look(NOW)
    await page.click("#way")
    assert await page.look("state.node.at") == 2
    assert await page.look("[...document.querySelectorAll('#graph text')].some(text => text.textContent === 'time')")
    await page.key("End")
    assert "White wins (resignation)" in await page.look(NOW)
    # The record of this one has no ending: the rules have.
    await page.open(pages / "rounds.html", 1280, 800)
    await page.key("End")
    assert "sennichite" in await page.look(NOW)


@in_browser
async def test_hostile_names_and_comments_are_text(page, pages):
    for language in ("en", "ja"):
        await page.open(pages / "game.html", 1280, 800)
        await page.look(f"state.language !== '{language}' && ACTIONS.l(), go(0), 0")
        assert await page.look("document.querySelectorAll('img').length") == 0
        text = await page.look("document.body.innerText")
        assert text.count("<img src=x onerror=alert(1)>") >= 3
        text += await page.look("document.title")
        assert not any(letter in text for letter in "\x1b\x07\u202e")


@in_browser
async def test_the_board_stays_in_view_on_a_phone(page, pages):
    board = "document.querySelector('#board svg').getBoundingClientRect()"
    view = f"(box => box.top >= 0 && box.bottom <= innerHeight)({board})"
    await page.open(pages / "game.html", 390, 844)
    await page.key("ArrowDown")
    for selector in ("#moves li:nth-child(9) button", "#moments li:last-child button", "#lines .pv:last-child .word",
                     ".better .word", "#graph svg"):  # fmt: skip
        await page.look(
            f"document.querySelector({selector!r}).scrollIntoView({{ block: 'end', behavior: 'instant' }}), 0"
        )
        await tap(page, selector)
        assert await page.look(view), selector
        if selector.startswith("#moves"):
            assert await page.look("state.node.at") == 8
            await page.look("go(2), 0")
    for width, height in ((360, 640), (844, 390), (768, 1024)):
        await page.open(pages / "game.html", width, height)
        await page.look("scrollTo(0, 1e6), 0")
        assert await page.look("document.documentElement.scrollWidth") <= width
        assert await page.look(view), (width, height)


@in_browser
async def test_letters_are_large_enough_and_no_column_is_empty(page, pages):
    await page.open(pages / "game.html", 390, 844)
    scale = await page.look("(svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)"
                            "(document.querySelector('#graph svg'))")  # fmt: skip
    assert 12 * scale >= 11, scale
    await page.open(pages / "game.html", 1280, 800)
    await page.key("ArrowDown")
    columns = await page.look("['.left', '.middle', '.right'].map(name => document.querySelector(name).lastElementChild"
                              ".getBoundingClientRect().bottom)")  # fmt: skip
    assert min(columns) > 0.85 * 800, columns
    assert await page.look("document.documentElement.scrollHeight") <= 800


@in_browser
async def test_everything_is_reached_by_tab(page, pages):
    await page.open(pages / "game.html", 1280, 800)
    await page.key("ArrowDown")
    reached = set()
    for _ in range(150):
        await page.call("Input.dispatchKeyEvent", type="keyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        reached.add(await page.look("(document.activeElement.closest('[id]') || document.body).id"))
        named = "[aria-label], [aria-labelledby], button:not(:empty), summary, body, main *"
        assert await page.look(f"document.activeElement.matches({named!r})")
    assert reached >= {"language", "notation", "first", "worse-forward", "whose", "lesson", "lines", "moments", "moves",
                       "keys-title"}, reached  # fmt: skip
    label = await page.look("document.querySelector('#board svg').getAttribute('aria-label')")
    assert "Black to move" in label and "king 59" in label
    await page.look("go(3), 0")
    assert "3 ▲B-5e" in await page.look("document.querySelector('#graph [role=slider]').getAttribute('aria-valuetext')")
    # The focus stays on what was pressed, though it is drawn anew.
    await page.look("document.querySelector('#lines .word').focus(), 0")
    await page.call(
        "Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r"
    )
    await page.call("Input.dispatchKeyEvent", type="keyUp", key="Enter", code="Enter", windowsVirtualKeyCode=13)
    assert await page.look("document.activeElement.matches('#lines .word[aria-current]')")
    await page.key("?")
    assert await page.look("document.querySelector('.keys').open")


@in_browser
async def test_all_moves_are_printed(page, pages):
    await page.open(pages / "game.html", 1280, 800)
    await page.call("Emulation.setEmulatedMedia", media="print")
    for name in ("moves", "moments"):
        height, whole = await page.look(
            f"(list => [list.clientHeight, list.scrollHeight])(document.getElementById('{name}'))"
        )
        assert height >= whole, name
    assert await page.look("getComputedStyle(document.querySelector('nav')).display") == "none"
    await page.call("Emulation.setEmulatedMedia", media="")


@in_browser
async def test_axe_finds_nothing(page, pages):
    if not AXE.exists():
        pytest.skip(f"there is no {AXE.name}")
    axe = Path(AXE).read_text(encoding="utf-8")
    for name in ("game.html", "handicap.html"):
        for width, height in ((1280, 800), (390, 844)):
            for scheme in ("light", "dark"):
                await page.open(pages / name, width, height, scheme)
                for _ in range(2):
                    await page.key("ArrowDown")
                    await page.look("document.getElementById('language').click(), 0")
                    await page.look(axe + ";0")
                    found = await page.look(f"axe.run({{ runOnly: {RULES} }}).then(found => found.violations)")
                    assert found == [], (name, width, scheme, found)
