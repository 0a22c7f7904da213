"""Reads a run's samples from the CSV of `kelvin export` and prints each series' mean Duration.

    npm run -s kelvin -- export runs/<runId> --out samples.csv
    python3 docs/read-samples.py samples.csv

The standard library alone. Editors that know `# %%` cells (VS Code, Jupyter with jupytext) open it as
a notebook; docs/data.md says what each column is, and has the same for pandas.
"""

# %% Numbers as numbers, and what is absent as None: never 0
import csv
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator

NUMBERS = ("Ms", "Mb", "Instructions", "Calls", "block", "attempt", "sequence", "workers")


def read_samples(path: str) -> Iterator[dict[str, str | float | None]]:
    """Each sample as a dictionary by column."""
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield {name: value_of(name, text) for name, text in row.items()}


def value_of(name: str, text: str) -> str | float | None:
    if text == "":
        return None
    return float(text) if name.endswith(NUMBERS) else text


# %% Samples that count: rejected ones stay in the file, with their reason
samples = [row for row in read_samples(sys.argv[1]) if row["rejectedReason"] is None]

# %% The unit is the environment: calls of one share a process, a host and a moment
series: dict[tuple, dict[tuple, list[float]]] = defaultdict(lambda: defaultdict(list))
for row in samples:
    if row["durationMs"] is not None:
        environment = (row["block"], row["attempt"])
        series[row["cell"], row["phase"], row["operation"]][environment].append(row["durationMs"])

# %% So the mean of a series is over its environments' own means
print("cell,phase,operation,n,environments,durationMeanMs")
for key, environments in series.items():
    means = [statistics.fmean(durations) for durations in environments.values()]
    n = sum(len(durations) for durations in environments.values())
    print(",".join([*key, str(n), str(len(means)), repr(statistics.fmean(means))]))
