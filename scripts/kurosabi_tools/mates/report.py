"""What was found, in words."""

from __future__ import annotations

from collections import Counter

from .solvers import Run


def summary(run: Run) -> str:
    """How many answers of each kind, mates by length, and what they took."""
    verdicts = Counter(answer.verdict for answer in run.answers)
    lengths = Counter(len(answer.moves) for answer in run.answers if answer.verdict == "mate")
    shortest = sum(answer.shortest for answer in run.answers)
    kinds = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
    by_length = ", ".join(f"{plies}: {count}" for plies, count in sorted(lengths.items()))
    nodes = sum(answer.nodes for answer in run.answers)
    return (
        f"{len(run.answers)} positions: {kinds}; {nodes} nodes, {run.seconds:.2f} s of user CPU time\n"
        f"mates by plies: {by_length or 'none'}; {shortest} shown to be shortest"
    )


def comparison(name: str, ours: Run, theirs: Run) -> str:
    """Another solver's answers and time beside ours."""
    contrary = sum(
        {a.verdict, b.verdict} == {"mate", "nomate"} for a, b in zip(ours.answers, theirs.answers, strict=False)
    )
    pairs = [
        (len(a.moves), len(b.moves)) for a, b in zip(ours.answers, theirs.answers, strict=False) if a.moves and b.moves
    ]
    shorter, longer = sum(a < b for a, b in pairs), sum(a > b for a, b in pairs)
    ratio = f"{theirs.seconds / ours.seconds:.2f}" if ours.seconds > 0 else "–"
    return (
        f"{name}: {summary(theirs)}\n"
        f"contrary answers: {contrary}; of {len(pairs)} mates found by both ours is shorter in {shorter}, longer in "
        f"{longer}; time of {name} by ours: {ratio}"
    )
