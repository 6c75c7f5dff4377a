"""Options, whatever they hold."""

from __future__ import annotations

from kurosabi_tools.protocol.core import Program, expect


def texts_are_shown_as_they_are(engine: Program) -> None:
    """Japanese and Windows paths come back as they were given; files are ``filename`` options."""
    with engine.start() as session:
        kinds = {line.split()[2]: line.split()[4] for line in session.introduction if line.startswith("option ")}
        for name in ("EvalFile", "DebugLogFile"):
            expect(kinds.get(name) == "filename", f"{name} is a {kinds.get(name)}")
        for path in ("/無い/評価.bin", "C:\\将棋\\評価 関数\\nn.bin"):
            session.send(f"setoption name EvalFile value {path}")
            told = session.ready()
            expect(any(path in line for line in told), f"{path}: {told}")


def too_much_is_survived(engine: Program) -> None:
    """Far more threads and memory than there are: alive, with a message, and playing."""
    with engine.start("sh", "-c", 'ulimit -v 1500000; exec "$0" "$@"') as session:
        for settings in ([("Threads", "512")], [("Threads", "1"), ("USI_Hash", "1000000")]):
            for name, value in settings:
                session.send(f"setoption name {name} value {value}")
            expect(any(line.startswith("info string") for line in session.ready()), f"{settings}: no message")
            session.go("startpos", "go depth 5")
