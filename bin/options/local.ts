import { type Command, Option } from "commander";
import { exitCodesHelp } from "../exit-codes.ts";
import { parseNetwork } from "./option-values.ts";
import { inRepository } from "./repository.ts";
import {
  exitWith,
  sharedOptions,
  withMachineOptions,
  withRunOptions,
  withTrafficOptions,
} from "./shared-options.ts";

/** Text after the options in `kelvin local --help`. */
const localHelp = `
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

/** Describes `kelvin local`. */
export function describeLocal(command: Command): void {
  command.description("run experiments on this machine, without an AWS account");
  withTrafficOptions(withRunOptions(inRepository(command), "quick"))
    .addOption(sharedOptions.out())
    .addOption(
      new Option("--resume <folder>", "continue an interrupted run with its own plan").conflicts([
        "untilPrecision",
        "maxSamples",
        "maxMinutes",
      ]),
    )
    .option("--plain-http", "serve DynamoDB and S3 without TLS")
    .option(
      "--network <ms>",
      "network delay per request to DynamoDB or S3: delay or delay,jitter; 0 is bare loopback",
      parseNetwork,
    );
  withMachineOptions(command)
    .option("--instructions", "also count instructions, under valgrind, after the timed part")
    .addOption(sharedOptions.verbose())
    .addOption(sharedOptions.json())
    .addHelpText("after", localHelp)
    .action(async (options) =>
      exitWith(await (await import("../commands/local.ts")).local(options)),
    );
}
