"""Writes golden.json: what SciPy and NumPy say of small samples, as the tests' oracle.

In a throwaway virtual environment, from this folder:
    pip install -r requirements.txt
    python generate.py && npx biome format --write golden.json
Neither is a dependency of the project. The samples come from a fixed seed; other versions than those
of requirements.txt are refused, because their digits may differ.
"""

import json
import platform
from fractions import Fraction
from pathlib import Path

import numpy as np
import scipy
from scipy import stats

installed = [f"numpy=={np.__version__}", f"scipy=={scipy.__version__}"]
pinned = Path(__file__).with_name("requirements.txt").read_text().split()
if installed != pinned:
    raise SystemExit(f"found {' '.join(installed)}; requirements.txt has {' '.join(pinned)}")

rng = np.random.default_rng(20260101)


def lognormal(n: int, median: float) -> list[float]:
    return [round(float(x), 6) for x in median * np.exp(0.2 * rng.standard_normal(n))]


def tied(n: int, centre: int) -> list[float]:
    return [float(x) for x in rng.integers(centre - 3, centre + 4, n)]


def quantile_case(n: int) -> dict:
    values = lognormal(n, 100)
    probabilities = [0, 0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1]
    return {
        "values": values,
        "quantiles": [
            {"probability": p, "value": float(np.quantile(values, p, method="linear"))}
            for p in probabilities
        ],
    }


def interval_case(n: int) -> dict:
    """The largest rank k whose interval (k-th smallest, k-th largest) covers 95%."""
    rank = max(k for k in range(1, n // 2 + 1) if 1 - 2 * stats.binom.cdf(k - 1, n, 0.5) >= 0.95)
    return {
        "n": n,
        "rank": rank,
        "confidence": float(1 - 2 * stats.binom.cdf(rank - 1, n, 0.5)),
    }


def exact_p_value(a: list[float], b: list[float]) -> float:
    """With ties: twice the smaller tail of the sum of a's midranks, every way to deal the values counted
    in whole numbers; few ways are dealt by SciPy's permutation test too, and must give the same."""
    doubled = [round(2 * rank) for rank in stats.rankdata(a + b)]
    ways = {(0, 0): 1}
    for rank in doubled:
        for (chosen, total), count in list(ways.items()):
            if chosen < len(a):
                key = (chosen + 1, total + rank)
                ways[key] = ways.get(key, 0) + count
    sums = {total: count for (chosen, total), count in ways.items() if chosen == len(a)}
    found = sum(doubled[: len(a)])
    lower = sum(count for total, count in sums.items() if total <= found)
    upper = sum(count for total, count in sums.items() if total >= found)
    p_value = float(min(Fraction(1), 2 * Fraction(min(lower, upper), sum(sums.values()))))
    if min(len(a), len(b)) > 1 and sum(sums.values()) <= 5_000:
        test = stats.permutation_test(
            (a, b),
            lambda x, y: stats.rankdata(np.concatenate((x, y)))[: len(x)].sum(),
            n_resamples=np.inf,
            alternative="two-sided",
        )
        if not np.isclose(test.pvalue, p_value, rtol=1e-12):
            raise SystemExit(f"{p_value} is not the permutation test's {test.pvalue}: {a}, {b}")
    return p_value


def shift_case(a: list[float], b: list[float], method: str) -> dict:
    """SciPy's exact test takes no account of ties."""
    test = stats.mannwhitneyu(a, b, alternative="two-sided", method=method, use_continuity=True)
    is_tied = len({*a, *b}) < len(a) + len(b)
    exact_ties = method == "exact" and is_tied
    differences = np.subtract.outer(a, b)
    return {
        "a": a,
        "b": b,
        "method": method,
        "u": float(test.statistic),
        "pValue": exact_p_value(a, b) if exact_ties else float(test.pvalue),
        "hodgesLehmann": float(np.median(differences)),
        "cliffsDelta": float(np.sign(differences).mean()),
    }


def holm_case(p_values: list[float]) -> dict:
    """Holm by its definition: max over the smaller ones of (m - rank + 1) p, at most 1."""
    order = np.argsort(p_values)
    stepped = np.array(p_values)[order] * np.arange(len(p_values), 0, -1)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(1, np.maximum.accumulate(stepped))
    return {"pValues": p_values, "adjusted": [float(p) for p in adjusted]}


golden = {
    "versions": {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
    },
    "quantiles": [quantile_case(n) for n in (1, 2, 5, 6, 30, 61)],
    "medianIntervals": [interval_case(n) for n in (*range(6, 61), 100, 301, 1000, 2500)],
    "shifts": [
        *[shift_case(lognormal(n, 100), lognormal(m, c), "exact")
          for n, m, c in [(1, 1, 90), (3, 4, 150), (6, 6, 100), (6, 6, 200), (8, 5, 110),
                          (10, 10, 100), (30, 30, 105), (30, 12, 120), (30, 30, 200)]],
        *[shift_case(tied(n, 20), tied(m, c), "exact")
          for n, m, c in [(6, 6, 20), (10, 10, 21), (30, 30, 20), (30, 10, 23), (40, 35, 22)]],
        *[shift_case(lognormal(n, 100), lognormal(m, c), method)
          for n, m, c, method in [(31, 31, 100, "exact"), (60, 40, 120, "exact"),
                                  (100, 100, 200, "asymptotic")]],
    ],
    "holm": [
        holm_case([0.01, 0.04, 0.03, 0.005]),
        holm_case([0.5, 0.6, 0.9]),
        holm_case([0.001]),
        holm_case([round(float(p), 4) for p in rng.random(12) ** 3]),
    ],
    "normalTail": [
        {"z": z, "probability": float(stats.norm.sf(z))}
        for z in (-4, -1, 0, 0.1, 1, 1.959964, 2.9999, 3, 3.1, 5, 8, 20)
    ],
}

eight = [10.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0]
golden["shifts"] += [
    shift_case(eight, [20.0 + x for x in eight], "exact"),
    shift_case([12.5], [1.0, 2.0, 3.0, 3.0, 3.0, 12.5, 12.5, 40.0], "exact"),
    *[shift_case(tied(n, 20), tied(m, c), "exact")
      for n, m, c in [(7, 7, 25), (5, 9, 22), (9, 5, 22), (60, 60, 20), (60, 60, 22), (20, 90, 21)]],
    shift_case(lognormal(60, 100), lognormal(60, 110), "exact"),
    shift_case(tied(70, 20), tied(65, 21), "asymptotic"),
]

Path(__file__).with_name("golden.json").write_text(json.dumps(golden, indent=1) + "\n")
