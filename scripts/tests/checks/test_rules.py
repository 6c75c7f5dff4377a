"""The cross-check notices every kind of difference, and only differences."""

from collections import Counter

import cshogi
import pytest

from kurosabi_tools.checks.rules import Game, View, differences, play

PINNED = "3lkl3/5g3/2G6/3N3B1/9/9/9/9/4K4 b P 1"
"""P*5b mates: the gold is pinned, which other libraries have overlooked."""

TAKEN = "3lkl3/9/4G4/9/9/9/9/9/4K4 b P 1"  # P*5b mates

ENTERED = "+P+P+P+P+PK3/9/LNSGG4/9/9/9/9/9/8k b RB8P 1"


def true_view(game: Game, **changes) -> View:
    """What a faultless engine says of a game that repeats nothing."""
    board = game.board
    moves = {cshogi.move_to_usi(move) for move in board.legal_moves}
    view = View(moves, board.sfen(), bool(board.is_check()), "none", bool(board.is_nyugyoku(cshogi.LAW_27)))
    return view._replace(**changes)


def found(sfen: str, /, **changes) -> list[str]:
    game = Game(sfen)
    return differences(game, true_view(game, **changes), "CSARule27", Counter())


@pytest.mark.parametrize("sfen", [cshogi.STARTING_SFEN, PINNED, TAKEN, ENTERED])
def test_agreement_is_no_difference(sfen):
    assert found(sfen) == []


def test_a_missing_and_an_extra_move_are_named():
    moves = true_view(Game(TAKEN)).moves
    assert all("['5c5b']" in text for text in found(TAKEN, moves=moves - {"5c5b"}))
    extra = found(TAKEN, moves=moves | {"P*5b"})
    assert len(extra) == 2 and all("only Kurosabi ['P*5b']" in text for text in extra)


@pytest.mark.parametrize(
    ("changes", "word"),
    [({"sfen": TAKEN}, "Sfen"), ({"in_check": True}, "in check"), ({"declares": False}, "declaration")],
)
def test_every_fact_is_compared(changes, word):
    (text,) = found(ENTERED, **changes)
    assert text.startswith(word)


SHUFFLE, CHECKED = "2h3h 8b7b 3h2h 7b8b ", "5a5b 9b9a 5b5a 9a9b "


@pytest.mark.parametrize(
    ("sfen", "moves", "verdict"),
    [
        (cshogi.STARTING_SFEN, 3 * SHUFFLE, "draw"),
        ("R8/4k4/9/9/9/9/9/9/4K4 b - 1", 3 * "9a9b 5b5a 9b9a 5a5b ", "lose"),
        ("9/R3k4/9/9/9/9/9/9/4K4 w - 1", 3 * "5b5a 9b9a 5a5b 9a9b ", "win"),
        ("4R4/k8/9/9/9/9/9/9/K8 b - 1", "5a5i 9b9a 5i5a 9a9b " + 2 * CHECKED, "draw"),  # one move gave no check
        ("4k4/9/9/9/9/9/9/9/4KR3 w 4p 1", 3 * "P*4e 4i4e 5a5b 4e4i 5b6a 5i5h 6a5a 5h5i ", "none"),  # other hands
    ],
)
def test_the_fourth_occurrence_has_a_verdict(sfen, moves, verdict):
    game = Game(sfen)
    said = [differences(game, true_view(game), "CSARule27", Counter())]
    for usi in moves.split():
        game.push(game.board.move_from_usi(usi))
        said.append(differences(game, true_view(game), "CSARule27", Counter()))
    expected = [f"repetition: none, {library} {verdict}" for library in ("cshogi", "rsshogi")]
    assert said.pop() == (expected if verdict != "none" else [])
    assert not any(said)


def test_games_follow_from_the_seed():
    for number in range(6):
        first, again, other = ([game.moves[-1:] for game in play(seed, number)] for seed in (1, 1, 2))
        assert first == again != other
