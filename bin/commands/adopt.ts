import type { LambdaClient } from "@aws-sdk/client-lambda";
import { adoptingClient } from "../../lib/aws/adopt-function.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress, printable } from "../progress.ts";
import { shownPath } from "../run/shown-path.ts";
import { type AdoptOptions, writeAdopted } from "../run/write-adopted.ts";

/**
 * `kelvin adopt`: writes a functions file for a deployed function, with its zip beside it; returns the exit
 * code. The function is read with GetFunction; it is neither changed nor invoked.
 * @param client a fake in tests
 */
export async function adopt(
  arn: string,
  options: AdoptOptions,
  client: LambdaClient = adoptingClient(arn),
): Promise<number> {
  const { written, notes } = await writeAdopted(arn, options, client);
  const progress = new Progress();
  for (const note of notes) progress.say(note);
  const shown = written.map(shownPath);
  process.stdout.write(printable(`${shown.join("\n")}\n`));
  return exitCodes.complete;
}
