"""Statistics against hand-computed examples, fastchess and Fishtest; error rates of the SPRT by simulation."""

import math

import numpy as np
import pytest

from kurosabi_tools.common.statistics import (
    NELO_PER_T,
    Estimate,
    PairCounts,
    Sprt,
    SprtDecision,
    SprtModel,
    _likeliest_with_mean,
    _likeliest_with_t,
    elo_of_score,
    ratings,
    score_of_elo,
)

NORMALIZED, LOGISTIC = SprtModel.NORMALIZED, SprtModel.LOGISTIC


def test_elo_of_score():
    assert elo_of_score(0.5) == 0
    assert elo_of_score(10 / 11) == pytest.approx(400)
    assert elo_of_score(0.75) == pytest.approx(190.8485, abs=1e-4)
    assert (elo_of_score(0), elo_of_score(1)) == (-math.inf, math.inf)
    assert score_of_elo(elo_of_score(0.6)) == pytest.approx(0.6)


def test_unknown_values():
    assert PairCounts().elo() is PairCounts().nelo() is PairCounts().los() is None
    won = PairCounts([0, 0, 0, 0, 3])
    assert won.elo().value == math.inf and won.nelo() is None
    assert str(PairCounts([0, 0, 5, 0, 0]).elo()) == "too few games"


@pytest.mark.parametrize(
    ("counts", "elo", "elo_margin", "nelo", "nelo_margin", "los"),
    [
        # fastchess app/tests/elo_test.cpp, "EloPentanomial" 1 to 3; its two cells of score 1 (WL and DD) added up
        ([34, 54, 63, 64, 75], 55.58, 27.65, 57.94, 28.28, 1.0),
        ([332, 433, 498, 333, 334], -8.64, 10.33, -9.17, 10.96, 0.0505),
        ([7895, 8757, 5685, 568, 9999], -21.04, 2.95, -19.01, 2.65, 0.0),
    ],
)
def test_elo_agrees_with_fastchess(counts, elo, elo_margin, nelo, nelo_margin, los):
    pairs = PairCounts(counts)
    assert pairs.elo().value == pytest.approx(elo, abs=0.005)
    assert pairs.elo().margin == pytest.approx(elo_margin, abs=0.005)
    assert pairs.nelo().value == pytest.approx(nelo, abs=0.005)
    # fastchess takes the deviation for known, which matters the less, the closer the match is.
    assert pairs.nelo().margin == pytest.approx(nelo_margin, rel=0.05)
    assert pairs.los() == pytest.approx(los, abs=1e-4)


@pytest.mark.parametrize("probabilities", [[0.05, 0.2, 0.45, 0.22, 0.08], [0, 0.05, 0.3, 0.4, 0.25]])
def test_intervals_hold_the_truth_as_often_as_they_say(probabilities):
    """At least 93 % of 1,000 matches of 200 pairs, even and lopsided: three standard deviations below 95 %."""
    values = np.array([0, 0.25, 0.5, 0.75, 1])
    p = np.array(probabilities)
    mean = p @ values
    truth = elo_of_score(mean), NELO_PER_T * (mean - 0.5) / math.sqrt(2 * (p @ (values - mean) ** 2))
    held = np.zeros(2)
    for counts in np.random.default_rng(20261122).multinomial(200, p, size=1000):
        pairs = PairCounts(map(int, counts))
        for index, estimate in enumerate((pairs.elo(), pairs.nelo())):
            held[index] += abs(estimate.value - truth[index]) <= estimate.margin
    assert (held >= 930).all() and (held <= 970).all(), held


@pytest.mark.parametrize(
    ("model", "elo0", "elo1", "counts", "llr"),
    [
        # computed with Fishtest's server/fishtest/stats/LLRcalc.py (b8eecff2): LLR_normalized, LLR_logistic
        (NORMALIZED, 0, 5, [10, 40, 90, 50, 15], 0.38035697102881433),
        (LOGISTIC, 0, 5, [10, 40, 90, 50, 15], 0.5302886790100813),
        (NORMALIZED, -10, 30, [500, 1200, 3000, 1100, 450], -74.36306755953497),
        (LOGISTIC, -10, 30, [500, 1200, 3000, 1100, 450], -128.8551518319887),
        (NORMALIZED, 0, 5, [0, 2, 5, 4, 0], 0.05280960708714016),
        (LOGISTIC, 0, 5, [0, 2, 5, 4, 0], 0.09738985961759908),
        (NORMALIZED, 0, 5, [0, 0, 0, 0, 104], 2.094954527648188),
        (LOGISTIC, -10, 30, [1, 0, 0, 0, 0], -0.11868092690722912),
    ],
)
def test_llr_agrees_with_fishtest(model, elo0, elo1, counts, llr):
    assert Sprt(elo0=elo0, elo1=elo1, model=model).llr(PairCounts(counts)) == pytest.approx(llr, rel=1e-9)


def test_bounds():
    sprt = Sprt(elo0=0, elo1=5, alpha=0.05, beta=0.10)
    assert sprt.lower == pytest.approx(math.log(0.10 / 0.95))
    assert sprt.upper == pytest.approx(math.log(0.90 / 0.05))
    assert sprt.decision(sprt.upper) is SprtDecision.H1
    assert sprt.decision(sprt.lower) is SprtDecision.H0
    assert sprt.decision(0) is None
    assert sprt.llr(PairCounts()) == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"elo0": 5}, {"elo1": math.inf}, {"elo1": math.nan}, {"elo0": -1e5},
        {"alpha": 0}, {"alpha": 0.5}, {"alpha": 0.9}, {"beta": 0}, {"beta": 0.5}, {"beta": 0.9},
    ],
)  # fmt: skip
def test_impossible_tests_are_refused(fields):
    assert Sprt(elo0=0, elo1=5)
    with pytest.raises(ValueError):
        Sprt(**{"elo0": 0, "elo1": 5, **fields})


def pair_probabilities(elo, model):
    """A distribution of the scores of pairs with this Elo difference."""
    usual = np.array([0.05, 0.2, 0.45, 0.22, 0.08])
    if model is LOGISTIC:
        return _likeliest_with_mean(usual, score_of_elo(elo))
    return _likeliest_with_t(usual, math.sqrt(2) * elo / NELO_PER_T)


def decide(sprt, probabilities, generator, batch=4):
    """Play pairs until the test decides."""
    pairs = PairCounts()
    while True:
        pairs.counts = list(np.add(pairs.counts, generator.multinomial(batch, probabilities)))
        decision = sprt.decision(sprt.llr(pairs))
        if decision:
            return decision


@pytest.mark.slow
@pytest.mark.parametrize("model", SprtModel)
@pytest.mark.parametrize("truth", SprtDecision)
def test_error_rates_over_a_thousand_matches(model, truth):
    """Wrong decisions stay within the stated 5 %: at most 70 of 1,000, three standard deviations above 50."""
    sprt = Sprt(elo0=0, elo1=80, model=model)
    elo = sprt.elo0 if truth is SprtDecision.H0 else sprt.elo1
    probabilities = pair_probabilities(elo, model)
    generator = np.random.default_rng(20260822)
    wrong = sum(decide(sprt, probabilities, generator) is not truth for _ in range(1000))
    print(f"{model.value}, {truth.value} true: {wrong} wrong decisions of 1000")
    assert 10 <= wrong <= 70


def test_ratings_of_three():
    result = ratings(["a", "b", "c"], {("a", "b"): (64, 36), ("b", "c"): (64, 36), ("a", "c"): (76, 24)})
    assert result["a"].value > result["b"].value > result["c"].value
    assert result["a"].value - result["b"].value == pytest.approx(100, abs=3)
    assert sum(estimate.value for estimate in result.values()) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("points", [(750, 250), (3, 3), (75_000_000, 25_000_000)])
def test_margins_of_two_ratings(points):
    """The difference of two ratings is an Elo difference D of n games with the score p (n and p with the drawn game
    that is added): by the derivative of p = 1 / (1 + 10^(-D/400)), its standard deviation is 400 / ln 10 /
    √(n p (1 - p)).  Ratings around 0 are ± D / 2.
    """
    games, share = sum(points) + 1, (points[0] + 0.5) / (sum(points) + 1)
    margin = 1.959964 * 400 / math.log(10) / math.sqrt(games * share * (1 - share)) / 2
    for estimate in ratings(["a", "b"], {("a", "b"): points}).values():
        assert estimate.margin == pytest.approx(margin, rel=1e-3)


def test_ratings_without_games():
    assert list(ratings(["a", "b"], {}).values()) == [Estimate(0, math.inf)] * 2
    among_others = ratings(["a", "b", "c"], {("a", "b"): (3, 1)})
    assert [math.isinf(estimate.margin) for estimate in among_others.values()] == [False, False, True]
