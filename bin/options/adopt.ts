import type { Command } from "commander";
import { exitCodesHelp } from "../exit-codes.ts";
import { exitWith } from "./shared-options.ts";

/** Text after the options in `kelvin adopt --help`. */
const adoptHelp = `
Takes an ARN, or a name in the region of the AWS CLI, with or without a version or alias. It calls
lambda:GetFunction on that function: configuration, layers, environment, and the uploaded zip, which
is checked against its checksum, or the digest of its image; and GetRuntimeManagementConfig,
GetProvisionedConcurrencyConfig and GetAlias, which may be denied. The file refers to
the function's role; nothing is added to the role. VPC, file systems, /tmp size and tracing are
copied; what is not is printed with what that changes in the result. Environment variables that look
like secrets, by their name or value, are named in the file and not copied. Refused with the reason:
Lambda Managed Instances, durable functions, tenant isolation, Web Functions and MicroVMs.

Examples
  kelvin adopt arn:aws:lambda:eu-west-1:123456789012:function:NAME --event event.json
  kelvin adopt NAME --out name/functions.json

${exitCodesHelp}`;

/** Describes `kelvin adopt`. */
export function describeAdopt(command: Command): void {
  command
    .description("write a functions file from a deployed function, without changing or invoking it")
    .option(
      "--out <file>",
      "where the functions file goes, with the zip beside it",
      "functions.json",
    )
    .option("--event <file>", "a JSON file that the function is called with (default: {})")
    .option("--copy-secrets", "copy environment variables that look like secrets, too")
    .addHelpText("after", adoptHelp)
    .action(async (arn, options) =>
      exitWith(await (await import("../commands/adopt.ts")).adopt(arn, options)),
    );
}
