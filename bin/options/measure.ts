import { type Command, Option } from "commander";
import { roleContext } from "../../lib/infra/stack-context.ts";
import { exitCodesHelp, failOnOptions } from "../exit-codes.ts";
import {
  addContext,
  decimalNumber,
  parseList,
  parseNetwork,
  percent,
  wholeNumber,
} from "./option-values.ts";
import {
  autoMemory,
  exitWith,
  sharedOptions,
  withMachineOptions,
  withSizeOptions,
  withTrafficOptions,
} from "./shared-options.ts";

/** Text after the options in `kelvin measure --help`. */
const measureHelp = `
What it does
  Runs each artefact as it would be uploaded to Lambda (a zip or a folder) behind a Lambda Runtime
  API on this machine: provided.al2023 through its bootstrap, python3.N through AWS's runtime
  client, nodejsN.x through Kelvin's. First, one unmeasured call with each event shows what is
  wrong, if anything is. Then every function runs in new environments at every memory size,
  interleaved in blocks: a cold call and a second one with the first event, and warm calls with
  every event. The other artefacts are compared with the first one, the base. Runtime and handler
  are detected and printed; if several are possible, name them. Results are checked against --expect
  and are not recorded. DynamoDB and S3 can be emulated: built in the repository, fetched once by an
  installed package. A call to any other AWS service is answered with an error, and named.

With the ARN of a deployed function, or two
  Measures copies of them on AWS: reads them, shows the plan and its cost, says as which role the
  copies act, and asks (or --yes), deploys a stack of its own, measures, fetches the run, prints the
  answer, and destroys the stack (or --keep), also after Ctrl-C. A copy does what its function does, on
  the same tables, queues and buckets. The functions themselves are neither changed nor invoked;
  --apply sets a memory size on $LATEST of one, if the run decided on it and you confirm the change.

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
                                                  p99), memory and package; 7 if one is missed
  kelvin measure dist/ --runtime nodejs24.x --handler app.handler
  kelvin measure function.zip --event get=get.json --event put=put.json --expect get='{"id":1}'
  kelvin measure function.zip --event sqs:body.json
                                                  the event that SQS makes of that body; also sns,
                                                  s3, dynamodb-stream, eventbridge, apigateway and
                                                  function-url
  kelvin measure function.zip --env TABLE=orders --env LOG_LEVEL=error --timeout 10
  kelvin measure function.zip --table orders=table.json --items orders.json --bucket uploads=./fixtures
                                                  DynamoDB and S3 emulated, with these in them when the
                                                  run begins
  kelvin measure function.zip --event event.json --save functions.json
  kelvin measure --functions functions.json --preset standard
  kelvin measure function.zip --until-precision 10% --max-minutes 10
                                                  until each size's times are known to 10% of the
                                                  next smaller one's
  kelvin measure function.zip --event event.json --memory auto
                                                  which of 128, 256, 512, 1024, 1769 and 3008 MB is
                                                  cheapest, fastest and balanced, to 10% and for 10
                                                  minutes at most, or as the next three options say:
                                                  --until-precision, --max-minutes, --max-samples
  kelvin measure function.zip --layer layer.zip --env AWS_LAMBDA_EXEC_WRAPPER=/opt/wrapper
  kelvin measure function.zip --runtime python3.12 --any-version
                                                  on another Python if 3.12 is not installed
  kelvin measure --resume runs/<runId>            after Ctrl-C: what was measured is kept
  kelvin measure arn:aws:lambda:eu-west-1:123456789012:function:NAME --event event.json --memory auto
                                                  on AWS, at six sizes
  kelvin measure ARN --event event.json --limit 'cold.p95 < 800 ms' --preset standard
  kelvin measure ARN:1 ARN:2 --event event.json --fail-on slower --max-cost 0.50 --yes
                                                  two versions on AWS, as a gate

${exitCodesHelp}`;

/** Describes `kelvin measure`. */
export function describeMeasure(command: Command): void {
  command
    .description(
      "measure your own functions on this machine, or deployed ones on AWS by their ARNs",
    )
    .addHelpText("after", measureHelp)
    .action(async (artefacts, options) =>
      exitWith(await (await import("../commands/measure.ts")).measure(artefacts, options)),
    );
  withFunctionOptions(command.optionsGroup("The functions:"));
  withEventOptions(command.optionsGroup("Events and answers:"));
  withServiceOptions(command.optionsGroup("AWS services to emulate:"));
  withGateOptions(command.optionsGroup("A gate:"));
  withReportOptions(command.optionsGroup("The run and its report:"));
  withArnOptions(command.optionsGroup("With the ARN of a deployed function:"));
  withSizeOptions(command.optionsGroup("How much to measure:"), "quick", autoMemory);
  withMachineOptions(command).addOption(sharedOptions.verbose());
}

const repeated = (text: string, before: readonly string[] = []) => [...before, text];

function withFunctionOptions(command: Command): void {
  command
    .option("--functions <file>", "a functions file, instead of artefacts and the options below")
    .option("--save <file>", "write what is measured as a functions file")
    .option("--runtime <name>", "provided.al2023, python3.N or nodejsN.x (default: as found)")
    .option("--handler <name>", "as in the function's configuration (default: as found)")
    .option("--env <name=value>", "an environment variable; may be repeated", repeated)
    .option("--layer <zip or folder>", "a layer, shown at /opt; may be repeated", repeated)
    .option("--timeout <s>", "timeout in seconds (default: 30)", wholeNumber("timeout", 1, 900))
    .option("--python <command>", "Python interpreter to use (default: the runtime's version)")
    .option("--node <command>", "Node.js to use (default: the runtime's version)")
    .option("--any-version", "use another version if the runtime's is not installed");
}

function withEventOptions(command: Command): void {
  command
    .option(
      "--event <[name=]json>",
      "a JSON file or JSON; sqs:FILE wraps a body (others below); may be repeated",
      repeated,
    )
    .option("--expect <[name=]json>", "what a right answer contains; may be repeated", repeated)
    .option("--expect-status <[name=]code>", "the statusCode of a right answer", repeated);
}

function withServiceOptions(command: Command): void {
  command
    .option("--service <list>", "dynamodb, s3 or both: dynamodb,s3", parseList)
    .option(
      "--table <[name=]json>",
      "a table, in the input format of aws dynamodb create-table",
      repeated,
    )
    .option(
      "--items <json>",
      "items, in the input format of aws dynamodb batch-write-item",
      repeated,
    )
    .option(
      "--bucket <name[=folder]>",
      "an S3 bucket, with a folder's files as its objects; may be repeated",
      repeated,
    )
    .option(
      "--network <ms>",
      "network delay of a request to them: DELAY or DELAY,JITTER; 0 is loopback",
      parseNetwork,
    );
}

function withGateOptions(command: Command): void {
  command
    .addOption(
      new Option(
        "--fail-on <verdict>",
        "exit with 1 if slower than the first, or with 6 if not proven to be no slower",
      ).choices(failOnOptions),
    )
    .addOption(sharedOptions.limit())
    .option(
      "--margin <share>",
      "the smallest difference that matters (default: 5%)",
      percent("margin"),
    )
    .option(
      "--alpha <share>",
      "share of runs that may report a difference that is not there (default: 5%)",
      percent("alpha"),
    );
}

function withReportOptions(command: Command): void {
  command
    .addOption(sharedOptions.out())
    .option("--resume <folder>", "continue an interrupted run with its own plan")
    .addOption(sharedOptions.markdown())
    .addOption(sharedOptions.json());
  withTrafficOptions(command);
}

function withArnOptions(command: Command): void {
  const sizes = ["cheapest", "fastest", "balanced"];
  command
    .option("--yes", "deploy copies and call them without asking")
    .option(
      "--max-cost <usd>",
      "refuse a run whose estimate is above this, and end it before it costs more",
      decimalNumber("max-cost"),
    )
    .option("--keep", "leave the stack with the copies in the account")
    .option("--copy-secrets", "copy environment variables that look like secrets")
    .addOption(sharedOptions.qualifier())
    .addOption(sharedOptions.toolkitStack())
    .option(
      "-c, --context <name=value>",
      "the stack's roles: permissionsBoundary, rolePath, trustConditions; may be repeated",
      addContext(...roleContext),
    )
    .addOption(
      new Option(
        "--apply [size]",
        "set the function to its cheapest, fastest or balanced size, after asking",
      )
        .choices(sizes)
        .preset("balanced"),
    )
    .option("--apply-without-asking", "set the size of --apply without asking");
}
