import { exitCodesHelp } from "./exit-codes.ts";

/** Output of `kelvin` without a command. */
export const waysToStart = `Kelvin measures AWS Lambda functions, cold and warm, on AWS and on one machine.

  kelvin measure function.zip     measure a function of your own on this machine
  kelvin measure ARN              measure a copy of a deployed function on AWS
  kelvin local                    Rust or Python? measure Kelvin's own functions on this machine

kelvin --help lists every command.
`;

/** The text after the list of commands in `kelvin --help`. */
export const kelvinHelp = `
In Kelvin's repository, run kelvin as: npm run kelvin --
Installed from its package, it needs only Node.js; doctor, local and setup need the repository.

Every command
  kelvin <command> --help         options, with their defaults, and examples
  Results go to stdout (JSON with --json), progress and errors to stderr.
`;

/** Text after the options in `kelvin doctor --help`. */
export const completeHelp = `
Examples
  source <(kelvin complete bash)                  in ~/.bashrc
  source <(kelvin complete zsh)                   in ~/.zshrc, after compinit
  kelvin complete fish | source                   in ~/.config/fish/config.fish

The script asks kelvin itself, as "kelvin complete -- <words>", each time that you press Tab.
`;

export const doctorHelp = `
Installs nothing, builds nothing and does not contact AWS. kelvin deploy checks the credentials
itself.

${exitCodesHelp}`;

/** Text after the options in `kelvin local --help`. */
export const localHelp = `
What it does
  Builds the functions, starts DynamoDB (dynoxide, over TLS) on loopback, and runs every cell
  (variant x memory) in new execution environments behind a Lambda Runtime API: a cold invocation,
  a second one, then the warm ones. Where cgroups are writable (as root on Linux, or under
  systemd-run --user --scope --property=Delegate=yes), a function gets memoryMb/1769 of a CPU after
  its Init, as on Lambda; the first line says whether this is so.
  The first run spends minutes building; later runs start at once. At a terminal, Python's part of
  compute, which needs no Rust, is measured and reported before that build, as a run of its own;
  with --json, with CI set, or with output redirected, it is not. Without Rust it is all there is.

Examples
  kelvin local                                    the quick preset, about two minutes
  kelvin local --memory 128 --variants rust,python
  kelvin local --preset standard --seed 7         60 environments per cell, all six sizes
  kelvin local --cold 10 --warm 0                 cold starts only
  kelvin local --until-precision 5%               add blocks until the half-width of every ratio's
                                                  95% CI is at most 5% of the ratio
  kelvin local --until-precision 5% --max-minutes 30
                                                  stop after 30 minutes or ten times the preset's
                                                  samples at the latest; the report says which
  kelvin local --cold-share 5% --invocations 30000000
                                                  state costs and the recommendation for 30 million
                                                  calls a month, 1 in 20 of them cold
  kelvin local --experiment first-request         where the time of the first request goes
  kelvin local --experiment first-request --instructions
                                                  count instructions with callgrind, too; takes
                                                  some minutes more
  kelvin local --experiment compute               Rust against Python without an SDK
  kelvin local --experiment multicore             threads and memory beyond one vCPU
  kelvin local --experiment dynamodb-batch        five small items, written and read in batches
  kelvin local --experiment sha256                a million hashes, one after another
  kelvin local --network 0                        no network delay before DynamoDB (default: 1.5 ms
                                                  per request, as measured on Lambda)
  kelvin local --idle 0                           calls back to back (default: idle for 80 to
                                                  100 ms before each, as between calls on AWS)
  kelvin local --experiment s3-fanout --network 30,5
                                                  parallel S3 calls of 25 to 35 ms each
  kelvin local --experiment emulators             compare DynamoDB emulators for tests and CI; needs
                                                  Java 17, mvn and, the first time, the network
  kelvin local --experiment emulators --variants dynoxide-http,dynamodb-local
  kelvin local --experiment all                   all but emulators, one after another, with one
                                                  report that begins with what each found
  kelvin local --experiment compute,multicore     these two; --memory and --variants apply to those
                                                  that have them
  kelvin local --resume runs/<runId>              continue after Ctrl-C; what was measured is kept

${exitCodesHelp}`;

/** Text after the options in `kelvin measure --help`. */
export const measureHelp = `
What it does
  Runs each artefact as it would be uploaded to Lambda (a zip or a folder) behind a Lambda Runtime
  API on this machine: provided.al2023 through its bootstrap, python3.N through AWS's runtime
  client, nodejsN.x through Kelvin's. First, one unmeasured call with each event shows what is
  wrong, if anything is. Then every function runs in new environments at every memory size,
  interleaved in blocks: a cold call and a second one with the first event, and warm calls with
  every event. The other artefacts are compared with the first one, the base. Runtime and handler
  are detected if the artefact leaves no doubt, and printed. Results are checked against --expect
  and are not recorded. DynamoDB and S3 can be emulated: built in the repository, fetched once by an
  installed package. A call to any other AWS service is answered with an error, and named.

With the ARN of a deployed function, or two
  Measures copies of them on AWS: reads them, shows the plan and its cost and asks (or --yes, or
  --max-cost), deploys a stack of its own, measures, fetches the run, prints the answer, and destroys
  the stack (or --keep), also after Ctrl-C. The functions themselves are neither changed nor invoked;
  --apply sets a memory size on $LATEST of one, after it has shown the change and got a yes.

Examples
  kelvin measure function.zip                     an event of {}; 128, 512, 1024 and 1769 MB
  kelvin measure function.zip --event event.json --memory 128,512,1024
  kelvin measure base.zip head.zip --event event.json --expect-status 200
  kelvin measure base.zip head.zip --event event.json --fail-on slower --margin 10%
                                                  a gate: both in the same blocks of one run
  kelvin measure base.zip head.zip --event event.json --fail-on not-proven --wait-for-quiet
                                                  a gate that passes only what is proven to be no
                                                  slower, on a machine that others leave alone
  kelvin measure function.zip --preset standard --limit 'cold.p95 < 800 ms' --limit 'memory < 128 MB'
                                                  limits of cold, second and warm (mean, median, p95,
                                                  p99), memory and package, for each size; the report
                                                  names the cheapest size within them, and with a
                                                  missed one the command ends with 7
  kelvin measure dist/ --runtime nodejs24.x --handler app.handler
  kelvin measure function.zip --event get=get.json --event put=put.json --expect get='{"id":1}'
  kelvin measure function.zip --event sqs:body.json
                                                  the event that SQS makes of that body; as well
                                                  sns, s3, dynamodb-stream, eventbridge, apigateway
                                                  and function-url
  kelvin measure function.zip --env TABLE=orders --env LOG_LEVEL=error --timeout 10
  kelvin measure function.zip --table table.json --bucket uploads
                                                  DynamoDB and S3 emulated, with these in them
  kelvin measure function.zip --event event.json --save functions.json
  kelvin measure --functions functions.json --preset standard
  kelvin measure function.zip --until-precision 10% --max-minutes 10
                                                  until each size's times are known to 10% of the
                                                  next smaller one's
  kelvin measure function.zip --event event.json --memory auto
                                                  which of 128, 256, 512, 1024, 1769 and 3008 MB is
                                                  cheapest, fastest and balanced, to 10%: sizes that
                                                  are none of them are dropped, the others go on until
                                                  all three are decided, for 10 minutes at most;
                                                  --until-precision, --max-minutes and --max-samples
                                                  set another precision and another budget
  kelvin measure function.zip --layer layer.zip --env AWS_LAMBDA_EXEC_WRAPPER=/opt/wrapper
  kelvin measure function.zip --runtime python3.12 --any-version
                                                  on another Python where 3.12 is not here
  kelvin measure --resume runs/<runId>            after Ctrl-C: what was measured is kept
  kelvin measure arn:aws:lambda:eu-west-1:123456789012:function:NAME --event event.json --memory auto
                                                  on AWS, at six sizes
  kelvin measure ARN --event event.json --limit 'cold.p95 < 800 ms' --preset standard
  kelvin measure ARN:1 ARN:2 --event event.json --fail-on slower --max-cost 0.50
                                                  two versions on AWS, as a gate

${exitCodesHelp}`;

/** Text after the options in `kelvin plan --help`. */
export const planHelp = `
Invokes nothing and spends nothing: the estimate is arithmetic on the plan, the dated price table
and the durations that the studies published.

Examples
  kelvin plan
  kelvin plan --experiment all                    each experiment, and their total
  kelvin plan --until-precision 5%                the minimum and the maximum that it may take
  kelvin plan --functions functions.json          copies of your own functions on AWS
  kelvin plan --memory 128,512 --cold 10 --region ap-northeast-1 --json
  kelvin plan --region mx-central-1 --prices prices.json

A price file covers a region that the built-in table lacks, or overrides its prices (USD, before
any free tier):
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
  (These figures are made up. A price that is absent is unknown, never 0.)

${exitCodesHelp}`;

/** Text after the options in `kelvin deploy --help`. */
export const deployHelp = `
What it does
  Checks that the stack CDKToolkit exists, which \`npx cdk bootstrap\` creates once per account and
  region, and says what to run if it does not: cdk deploy would only notice after building the Rust
  functions. Then runs cdk deploy with the same options; \`cdk deploy --help\` lists them.
  With --functions, what is deployed are copies of your functions, each at every memory size of its
  own matrix. The file is written by kelvin measure --save or kelvin adopt. Your own functions are
  neither changed nor invoked. An installed package deploys these only: Kelvin's own experiments are
  built in its repository.
  While a run is under way on the stack, nothing is deployed: it would fail the run (--force deploys
  all the same). Functions and tables that were deleted by hand are named; --revert-drift creates them
  anew, where cdk deploy alone finds no changes.

Examples
  kelvin deploy                                   the default matrix of dynamodb
  kelvin deploy -c experiments=dynamodb,compute -c memory=128,1769
  kelvin deploy --functions functions.json        copies of your own functions
  kelvin deploy --functions functions.json -c keepResults=true
  kelvin deploy --profile sandbox --require-approval never

Exit codes
  those of cdk deploy   2 bad input: no such functions file, no credentials, no bootstrap stack, or
                          a run under way; nothing was built
`;

/** Text after the options in `kelvin destroy --help`. */
export const destroyHelp = `
What it does
  Runs cdk destroy on the stack Kelvin, with the same options; \`cdk destroy --help\` lists them. Needs
  nothing of what was deployed: no functions file, no artefacts and no Rust. Results are deleted with
  the stack, unless it was deployed with -c keepResults=true: then it says where they are. CDKToolkit
  stays. While a run is under way on the stack, nothing is destroyed; with --force, the run is stopped
  first, and nothing is asked. Without a terminal, --force is needed.

Examples
  kelvin destroy                                  asks first
  kelvin destroy --profile sandbox --force

Exit codes
  those of cdk destroy   2 bad input: a run under way, or nobody to ask; nothing was destroyed
`;

/** Text after the options in `kelvin fetch --help`. */
export const fetchHelp = `
The address is s3://BUCKET/runs/<runId>, as the state machine prints it (any file below it works,
too), or s3://BUCKET for the latest run. Region and credentials are those of the AWS CLI.

Files that are already here are not downloaded again: after Ctrl-C or a lost connection, the same
command fetches the rest. Each file is checked against S3's MD5 and appears whole or not at all. At
the end, everything that was measured is checked against SHA256SUMS, the last file that a run writes
(sha256sum -c SHA256SUMS does the same). A run that was stopped has no SHA256SUMS: it is fetched and
reported as unfinished.

Examples
  kelvin fetch s3://BUCKET/runs/20260102T0304Z-a1b2c3
  kelvin fetch --bucket BUCKET --out /tmp/run --json

${exitCodesHelp}`;

/** Text after the options in `kelvin adopt --help`. */
export const adoptHelp = `
Takes an ARN, or a name in the region of the AWS CLI, with or without a version or alias. The only
call to AWS is lambda:GetFunction on that function: configuration, layers, environment, and the
uploaded zip, which is checked against its checksum, or the digest of its image. The file refers to
the function's role; nothing is added to the role. VPC, file systems, /tmp size and tracing are
copied; what is not is printed with what that changes in the result. Environment variables that look
like secrets, by their name or value, are named in the file and not copied. Refused with the reason:
Lambda Managed Instances, durable functions, tenant isolation, Web Functions and MicroVMs.

Examples
  kelvin adopt arn:aws:lambda:eu-west-1:123456789012:function:NAME --event event.json
  kelvin adopt NAME --out name/functions.json

${exitCodesHelp}`;

/** Text after the options in `kelvin prices --help`. */
export const pricesHelp = `
Asks the Price List API (pricing:GetProducts) for the on-demand prices that Kelvin's estimates are made
of: Lambda, Step Functions, DynamoDB, S3, CloudWatch Logs, AWS Config. A price that it does not give is
left out of the file and named. kelvin plan, report, import and measure take the file (--prices FILE);
kelvin deploy asks by itself where Kelvin's own table lacks a price of the region.

Examples
  kelvin prices --region eu-central-1
  kelvin plan --region eu-central-1 --prices prices.json

${exitCodesHelp}`;

/** Text after the options in `kelvin import --help`. */
export const importHelp = `
Sources: one or more of the same kind, or - for standard input
  report        a log with Lambda's REPORT lines or platform.report records; other lines are ignored
  events        what aws logs filter-log-events prints
  insights      a CSV or JSON of Logs Insights with @duration and @initDuration, or with @message
  power-tuning  the output of AWS Lambda Power Tuning: averages, which do not become samples
or --log-group, which reads Lambda's own lines from a log group with the credentials of the AWS CLI.
They need only logs:FilterLogEvents on arn:aws:logs:REGION:ACCOUNT:log-group:NAME:*. Nothing is
invoked or changed. After Ctrl-C, what was read is kept.

A log stream is an environment: means are over all calls, and intervals count
environments. Where a source names no streams, each invocation counts as an environment of its own,
and the report says what that does to the intervals. A sample is cold if Lambda reported an Init
Duration (with SnapStart, a Restore Duration). What a source does not say stays absent. See
docs/data.md.

Examples
  kelvin import --log-group /aws/lambda/NAME --since 7d --architecture arm64
  aws logs tail /aws/lambda/NAME --since 1d > name.log
  kelvin import name.log --variant NAME --architecture arm64 --region eu-west-1
  kelvin import insights.csv --architecture x86_64 --out runs/before
  kelvin import power-tuning.json --variant NAME --architecture arm64
  kelvin compare runs/before runs/after

${exitCodesHelp}`;

/** Text after the options in `kelvin report --help`. */
export const reportHelp = `
Before rendering, the measurements are checked against SHA256SUMS, the last file that a run writes:
if a file is missing, changed or not listed, it is named and no report is written. Samples are
excluded by labels, never by deleting them. plan.json, manifest.json, samples/ and failures/ are
only read; report.md, report-full.md, report.html, series.csv and summary.json are written.

A run that was stopped has no SHA256SUMS: what there is is rendered as a partial run.

Examples
  kelvin report runs/20260102T0304Z-a1b2c3
  kelvin report runs/20260102T0304Z-a1b2c3 --cold-share 5% --invocations 30000000
  kelvin report runs/20260102T0304Z-a1b2c3 --prices prices.json --json
  kelvin report runs/20260102T0304Z-a1b2c3 --split cpu
                                                  also split every series by the CPU model of its
                                                  environments, which Lambda chooses

${exitCodesHelp}`;

/** Text after the options in `kelvin export --help`. */
export const exportHelp = `
Writes every sample of every experiment, one per line, including rejected ones with their reason.
The run is verified first. Summaries of all series are already in the run: series.csv and
summary.json. docs/data.md describes each column, and docs/read-samples.py reads them.
With --format bencher: means with their 95% CI in Bencher's metric format. Each cell, phase and
operation is a benchmark; its measures, such as duration-ms, are named with their unit.

Examples
  kelvin export runs/20260102T0304Z-a1b2c3 > samples.csv
  kelvin export runs/20260102T0304Z-a1b2c3 --format jsonl --out samples.jsonl
  kelvin export runs/20260102T0304Z-a1b2c3 --format bencher --out metrics.json

${exitCodesHelp}`;

/** Text after the options in `kelvin compare --help`. */
export const compareHelp = `
Each run is a folder or an address in S3 (s3://BUCKET/runs/<runId>, which is fetched first); both
must have the same target. Compared are the means of the series that both have: the cold start (Init
and first Duration together, its parts beside it), second and warm Duration of each cell. A series is called slower or faster if the whole 95% CI of its ratio lies
beyond the margin, the ratio lies beyond the A/A noise of both runs, and Mann-Whitney is significant
after correction for the number of series. Runs with few environments cannot pass that test; the
comparison then says how many it takes.

Examples
  kelvin compare runs/before runs/after
  kelvin compare runs/before runs/after --margin 10% --json
  kelvin compare runs/before runs/after --html comparison.html
  kelvin compare runs/before runs/after --markdown comment.md
                                                  under 60 lines for a pull request
  kelvin compare s3://BUCKET/runs/20260102T0304Z-a1b2c3 runs/20260103T0304Z-d4e5f6

${exitCodesHelp}`;
