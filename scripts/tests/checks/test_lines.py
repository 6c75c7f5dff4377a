"""Last lines, judged."""

from collections import Counter

import pytest

from kurosabi_tools.checks.lines import Shown, are_good, faults_of, note
from kurosabi_tools.common.engine import Answer
from kurosabi_tools.common.shogi import Opening
from kurosabi_tools.common.usi import SearchInfo, read_info


def judged(*infos, best="7g7f"):
    """The kinds of faults that are found."""
    lines: dict[int, SearchInfo] = {}
    shown: dict[Shown, int] = {}
    for info in infos:
        read_info(info, lines)
        note(shown, lines)
    counts = Counter(kind for kind, _ in faults_of(Opening(), Answer(best, None, lines, 0.0), shown))
    assert are_good(counts) == (not counts)
    return list(counts)


def test_whole_lines_in_order_are_good():
    infos = (
        "info depth 4 multipv 2 score cp 10 pv 2g2f 8c8d 2f2e 8d8e",
        "info depth 4 multipv 1 score cp 20 pv 7g7f 3c3d 2g2f 8c8d",
    )
    assert judged(*infos) == []


RISING = ("info depth 1 multipv 1 score cp 1 pv 7g7f", "info depth 1 multipv 2 score mate 5 pv 2g2f")


@pytest.mark.parametrize(
    ("infos", "kind"),
    [
        (["info depth 1 score cp 20 lowerbound pv 7g7f"], "bounds"),
        (["info depth 3 score cp 20 pv 7g7f 3c3d"], "short"),
        (["info depth 2 score cp 20 pv 7g7f 7g7f"], "illegal"),
        (["info depth 1 score cp 20 pv 2g2f"], "unsorted"),
        (RISING, "unsorted"),
    ],
)
def test_faults_are_found(infos, kind):
    assert judged(*infos) == [kind]


def test_lines_that_the_rules_end_are_not_short():
    shuffle = "4i4h 4a4b 4h4i 4b4a"
    assert judged(f"info depth 9 score cp 0 pv {shuffle} rep_draw", best="4i4h") == []
    assert judged("info depth 9 score mate 5 pv 7g7f") == []


def test_lines_are_of_one_iteration_but_for_those_that_were_not_searched_again():
    before = (
        "info depth 3 nodes 50 multipv 2 score cp 10 pv 2g2f 8c8d 2f2e",
        "info depth 3 nodes 50 multipv 1 score cp 20 pv 7g7f 3c3d 2g2f",
    )
    best = "info depth 4 nodes 90 multipv 1 score cp 30 pv 5g5f 3c3d 2g2f 8c8d"
    kept = "info depth 3 nodes 90 multipv 2 score cp 20 pv 7g7f 3c3d 2g2f"
    assert judged(*before, kept, best, best="5g5f") == []
    capped = kept.replace("cp 20", "cp 15")
    assert judged(*before, capped, best, best="5g5f") == ["mixed"]
    assert judged(kept, best, best="5g5f") == ["mixed"]
    upside_down = best.replace("depth 4", "depth 2")
    assert judged(*before, kept, upside_down, best="5g5f") == ["mixed"]
    assert judged(*before, kept.replace("cp 20", "mate -5"), best, best="5g5f") == []
