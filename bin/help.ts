/** What `kelvin local --help` teaches beyond its options. */
export const localHelp = `
What it does
  Builds the functions, starts DynamoDB (dynoxide, over TLS) on loopback, and runs every cell
  (variant x memory) in new execution environments behind a Lambda Runtime API: one cold
  invocation, a second one, then the warm ones. Where a cgroup can be written (root on Linux), a
  function gets memoryMb/1769 of a CPU after its Init, as on Lambda; the first line says whether.
  The first run builds for some minutes; later ones start at once.

Examples
  kelvin local                                    the quick preset, some two minutes
  kelvin local --memory 128 --variants rust,python
  kelvin local --preset standard --seed 7         30 cold environments a cell, all six sizes
  kelvin local --cold 10 --warm 0                 cold starts only
  kelvin local --resume runs/<runId>              after Ctrl-C: what was measured is kept

Exit codes
  0 complete   1 failed   2 bad input, nothing was run   3 complete, but some cells failed
  130 interrupted; the report says that the run is partial
`;

/** What `kelvin plan --help` teaches beyond its options. */
export const planHelp = `
Nothing is invoked and nothing is spent: the numbers come from the plan's own arithmetic, the dated
price table and the durations that the studies published.

Examples
  kelvin plan
  kelvin plan --memory 128,512 --cold 10 --region ap-northeast-1 --json
  kelvin plan --region mx-central-1 --prices prices.json

A price file, for a region that the table lacks or another price: USD before any free tier
  {
    "date": "2026-01-31",
    "sources": [{ "url": "https://aws.amazon.com/lambda/pricing/", "gives": "Lambda" }],
    "regions": {
      "mx-central-1": {
        "lambda": {
          "arm64": { "gbSecondUsd": 0.000014 },
          "x86_64": { "gbSecondUsd": 0.0000175 },
          "requestUsd": 0.00000021
        },
        "stepFunctionsTransitionUsd": 0.000026,
        "dynamodb": { "readRequestUnitUsd": 1.3e-7, "writeRequestUnitUsd": 6.6e-7 }
      }
    }
  }
  (the figures are made up; what is absent is taken for unknown, never for 0)
`;
