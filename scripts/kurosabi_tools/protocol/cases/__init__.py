"""The cases.  Each is a function of the engine's program, which raises CaseFailed or NoAnswer when it fails.

===========  ==================================================
lines        what is told right before ``bestmove``
rules        the rules of games, in positions and in scores
questions    questions during a search, and first contact
options      options, whatever they hold
subcommands  what is done without a session
===========  ==================================================
"""

from __future__ import annotations

import sys

from kurosabi_tools.protocol.core import Case

from . import lines, options, questions, rules, subcommands

CASES = (
    Case("last-line", "the last line is exact and whole", lines.last_line_is_exact),
    Case("memory", "too many threads and too large a table", options.too_much_is_survived),
    Case("multipv", "MultiPV in order", lines.ranks_are_sorted),
    Case("game-ends", "ends of games in a position's moves", rules.ends_of_games_in_positions),
    Case("declaration-in-analysis", "declaration wins in analysis", rules.declaration_wins_are_analysed),
    Case("declaration-told", "a win by declaration told once, with a line", rules.wins_by_rule_are_told_once),
    Case("repetitions-told", "repetitions told in lines", lines.repetitions_are_told),
    Case("questions", "questions during a search", questions.questions_during_a_search),
    Case("readyok", "readyok behind options", questions.options_are_in_force_at_readyok),
    Case("long-openings", "games with openings too long for the file", subcommands.long_openings_are_refused_at_once),
    Case("records", "a game record given to analyze", subcommands.game_records_are_analysed),
    Case("paths", "paths as they are", options.texts_are_shown_as_they_are),
    Case("help", "help", questions.people_are_helped),
    Case("missing-features", "commands that need another build", subcommands.missing_features_are_named),
    Case("logging", "what RUST_LOG tells", subcommands.decisions_are_logged),
    Case("24-points", "a draw by 24 points", rules.draws_by_24_points_are_claimed),
    Case("no-promotion", "a mate that begins without promoting", lines.unpromoted_moves_avoid_a_drop_pawn_mate),
    Case("handicap-points", "points towards a declaration in a handicap game", rules.points_of_both_sides_are_shown),
    Case("threads", "several threads for one position", subcommands.one_position_has_several_threads),
)
"""All of them: each once went wrong with a GUI or in somebody's hands."""

if sys.platform == "win32":
    CASES = tuple(case for case in CASES if case.name != "memory")
