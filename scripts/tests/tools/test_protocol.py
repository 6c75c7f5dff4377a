"""The protocol cases tell engines that do what is expected from those that do not."""

from __future__ import annotations

import sys

from helpers import FAKE_ENGINE
from kurosabi_tools.core.usi.conversation import Conversation
from kurosabi_tools.protocol.cases import CASES
from kurosabi_tools.protocol.core import Case, expect, play

ENGINE = [sys.executable, str(FAKE_ENGINE)]


def _case(name: str) -> Case:
    return next(case for case in CASES if case.name == name)


def test_a_session_keeps_what_was_said():
    def greet(engine):
        with engine.start() as session:
            assert isinstance(session, Conversation)
            expect(session.go("startpos", "go depth 1")[-1].startswith("bestmove"), "no answer")

    problem, transcript = play(Case("greet", "", greet), ENGINE)
    assert problem is None
    assert transcript[0] == "> usi"
    assert "< usiok" in transcript
    assert transcript[-1].startswith("< bestmove")


def test_failures_are_told():
    # The scripted engine knows neither d, nor a log file, nor lines of play of its own.
    problem, _ = play(_case("paths"), ENGINE)
    assert problem == "EvalFile is a None"
    problem, _ = play(Case("dead", "", _case("game-ends").play), [*ENGINE, "ready=crash"])
    assert problem is not None
    assert "the engine ended" in problem


def test_an_engine_that_cannot_be_started_is_a_failure():
    problem, _ = play(_case("paths"), ["/no/such/engine"])
    assert problem is not None
    assert "/no/such/engine" in problem
