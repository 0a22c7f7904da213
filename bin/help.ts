/** What `kelvin --help` teaches beyond its commands. */
export const kelvinHelp = `
In this repository, kelvin stands for: npm run kelvin --

Start here
  kelvin doctor                   what this machine has and lacks, and how to get it
  kelvin local                    measure on this machine; the report is in runs/<runId>
  kelvin plan                     what the same on AWS would cost, before anything is deployed
  kelvin deploy                   deploy the stack into the account of your credentials
  kelvin fetch s3://BUCKET        bring the latest run of a deployed stack
  kelvin import FILE...           make a run of logs or exports of functions of your own
  kelvin report runs/<runId>      render a run's report again
  kelvin export runs/<runId>      every sample in one CSV or JSON Lines file
  kelvin compare A B              say what became slower or faster from one run to another

Every command
  kelvin <command> --help         options, examples, exit codes
  results go to stdout (with --json: JSON for scripts), progress and errors to stderr
`;

/** What `kelvin doctor --help` teaches beyond its options. */
export const doctorHelp = `
Nothing is installed, built or asked of AWS; kelvin deploy looks for credentials by itself.

Exit codes
  0 nothing that npm run bench needs is missing   1 something is MISSING; its line says how to get it
`;

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
  kelvin local --preset standard --seed 7         60 environments a cell, all six sizes
  kelvin local --cold 10 --warm 0                 cold starts only
  kelvin local --until-precision 5%               as many blocks as it takes until half of every
                                                  ratio's 95 % CI is at most 5 % of it
  kelvin local --until-precision 5% --max-minutes 30
                                                  or until 30 minutes or ten times the preset's
                                                  samples are spent; the report says which
  kelvin local --cold-share 5% --invocations 30000000
                                                  the report's costs and recommendation are those
                                                  of 30 million calls a month, 1 in 20 of them cold
  kelvin local --experiment first-request         where the first request's time goes
  kelvin local --experiment first-request --instructions
                                                  counted by callgrind too: some minutes more
  kelvin local --experiment compute               Rust against Python without an SDK
  kelvin local --experiment multicore             threads and memory beyond one vCPU
  kelvin local --network 0                        no network before DynamoDB (default: 2.2 ms a
                                                  request, as measured on Lambda)
  kelvin local --experiment s3-fanout --network 30,5
                                                  S3 calls at a time, 25 to 35 ms each
  kelvin local --experiment emulators             DynamoDB's stand-ins for tests and CI compared;
                                                  needs Java 17, mvn and network the first time
  kelvin local --experiment emulators --variants dynoxide-http,dynamodb-local
  kelvin local --experiment all                   all but emulators, one after another, and one
                                                  report that says first what each found
  kelvin local --experiment compute,multicore     these two; --memory and --variants go to those
                                                  that have them
  kelvin local --resume runs/<runId>              after Ctrl-C: what was measured is kept

Exit codes
  0 complete   1 failed   2 bad input, nothing was run   3 complete, but some cells or experiments failed
  130 interrupted; the report says that the run is partial
`;

/** What `kelvin plan --help` teaches beyond its options. */
export const planHelp = `
Nothing is invoked and nothing is spent: the numbers come from the plan's own arithmetic, the dated
price table and the durations that the studies published.

Examples
  kelvin plan
  kelvin plan --experiment all                    each experiment, and the sum of all
  kelvin plan --until-precision 5%                the least and the most that it may take
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
        "dynamodb": { "readRequestUnitUsd": 1.3e-7, "writeRequestUnitUsd": 6.6e-7 },
        "s3": { "putRequestUsd": 0.0000054, "getRequestUsd": 4.3e-7 },
        "logs": { "ingestedGbUsd": 0.63 }
      }
    },
    "configurationItemUsd": 0.003
  }
  (the figures are made up; what is absent is taken for unknown, never for 0)

Exit codes
  0 printed   1 failed   2 bad input: what was found and what is allowed is printed
`;

/** What `kelvin deploy --help` teaches beyond its options. */
export const deployHelp = `
What it does
  Looks for the stack CDKToolkit, which \`npx cdk bootstrap\` makes once for each account and region,
  and says what to run where it is missing: cdk deploy would find out only after it had built the
  Rust functions. Then it runs cdk deploy with the same options. \`cdk deploy --help\` lists those.

Examples
  kelvin deploy                                   dynamodb's default matrix
  kelvin deploy -c experiments=dynamodb,compute -c memory=128,1769
  kelvin deploy --profile sandbox --require-approval never

Exit codes
  those of cdk deploy   2 bad input: no credentials, or nothing bootstrapped; nothing was built
`;

/** What `kelvin fetch --help` teaches beyond its options. */
export const fetchHelp = `
The address is s3://BUCKET/runs/<runId>, as the state machine prints it (a file below it will do too),
or s3://BUCKET for the latest run. Region and credentials are those of the AWS CLI.

What is here already is not brought again: after Ctrl-C or a lost connection the same command brings
the rest. Each file is held against S3's MD5 and appears whole or not at all; in the end everything
that was measured is held against SHA256SUMS, which a run leaves as its last file (sha256sum -c
SHA256SUMS does the same). A run that was stopped has none: it is brought, and said to be unfinished.

Examples
  kelvin fetch s3://BUCKET/runs/20260102T0304Z-a1b2c3
  kelvin fetch --bucket BUCKET --out /tmp/run --json

Exit codes
  0 a complete run is here and verified   1 failed: credentials, access, network
  2 bad input: no such bucket or run, or files that are not as the run left them
  3 here, but the run is partial or unfinished   130 interrupted
`;

/** What `kelvin import --help` teaches beyond its options. */
export const importHelp = `
Sources, several of one kind, or - for the standard input:
  report        a log with Lambda's REPORT lines or platform.report records, whatever else is in it
  insights      a CSV of CloudWatch Logs Insights with @duration and @initDuration, or with @message
  power-tuning  the output of AWS Lambda Power Tuning: averages, which become no samples

A sample is cold where Lambda reported an Init Duration (SnapStart: a Restore Duration). No boot id
verifies it, and its environment is not known: each invocation counts as one of its own, and the
report says what that does to the intervals. What a source does not say stays absent. docs/data.md
says more.

Examples
  aws logs tail /aws/lambda/NAME --since 1d > name.log
  kelvin import name.log --variant NAME --architecture arm64 --region eu-west-1
  kelvin import insights.csv --architecture x86_64 --out runs/before
  kelvin import power-tuning.json --variant NAME --architecture arm64
  kelvin compare runs/before runs/after

Exit codes
  0 a run is there   1 failed   2 bad input: the place, what was found, what is allowed; no run is left
`;

/** What `kelvin report --help` teaches beyond its options. */
export const reportHelp = `
Before anything is rendered, what was measured is held against SHA256SUMS, which a run leaves as its
last file: a file that is missing, changed or not listed is named, and there is no report. Samples are
excluded by labels, never by deleting them. plan.json, manifest.json, samples/ and failures/ are only
read; report.md, report-full.md, report.html, series.csv and summary.json are written.

A run that was stopped left no SHA256SUMS: what is there is rendered, as a partial run.

Examples
  kelvin report runs/20260102T0304Z-a1b2c3
  kelvin report runs/20260102T0304Z-a1b2c3 --cold-share 5% --invocations 30000000
  kelvin report runs/20260102T0304Z-a1b2c3 --prices prices.json --json
  kelvin report runs/20260102T0304Z-a1b2c3 --split cpu
                                                  every series also by the CPU model that its
                                                  environments had, which Lambda chooses

Exit codes
  0 a complete run   1 failed   2 bad input: no run there, or files that are not as the run left them
  3 rendered, but the run is partial or unfinished
`;

/** What `kelvin export --help` teaches beyond its options. */
export const exportHelp = `
Every sample of every experiment, rejected ones with their reason, one line each. The run is verified
first. A summary of every series is in the run already: series.csv and summary.json. docs/data.md says
what each column is, and docs/read-samples.py reads them.

Examples
  kelvin export runs/20260102T0304Z-a1b2c3 > samples.csv
  kelvin export runs/20260102T0304Z-a1b2c3 --format jsonl --out samples.jsonl

Exit codes
  0 written   1 failed   2 bad input: no run there, or files that are not as the run left them
`;

/** What `kelvin compare --help` teaches beyond its options. */
export const compareHelp = `
Both are a run's folder or its address in S3 (s3://BUCKET/runs/<runId>, which is fetched first), on the
same target. Compared are the series that both have: Init, first, second and warm Duration of each cell.
A series is called slower or faster where the whole 95 % CI of its ratio lies beyond the margin,
the ratio beyond the noise floor of both runs' A/A pairs, and Mann-Whitney is significant after the
correction for the number of series. Runs of few environments cannot pass it: the comparison then says
how many it takes.

Examples
  kelvin compare runs/before runs/after
  kelvin compare runs/before runs/after --margin 10% --json
  kelvin compare runs/before runs/after --html comparison.html
  kelvin compare s3://BUCKET/runs/20260102T0304Z-a1b2c3 runs/20260103T0304Z-d4e5f6

Exit codes
  0 nothing is slower   1 something is slower
  2 no comparison: bad input, another target, no series in both, files that are not as the run left them
`;
