import { parseRunAddress, type RunAddress } from "../../lib/aws/run-address.ts";
import { s3Problem } from "../../lib/aws/s3-problem.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { bringRun } from "./bring-run.ts";
import { interruption } from "./interruption.ts";
import { printFetched } from "./print-fetched.ts";

export interface FetchWords {
  readonly bucket?: string;
  readonly run?: string;
  readonly out?: string;
  readonly json?: true;
}

/** `kelvin fetch`: brings a run from the results bucket to disk; returns the exit code. */
export async function fetch(address: string | undefined, words: FetchWords): Promise<number> {
  const where = addressOf(address, words);
  const progress = new Progress();
  const { signal, release } = interruption(progress, "what was brought");
  try {
    const fetched = await bringRun(where, words.out, progress, signal);
    printFetched(fetched, progress, words.json === true);
    return fetched.status === "complete" ? exitCodes.complete : exitCodes.partial;
  } catch (error) {
    progress.end();
    if (!signal.aborted) throw s3Problem(error, where.bucket);
    progress.say("stopped; the same command brings the rest");
    return exitCodes.interrupted;
  } finally {
    release();
  }
}

function addressOf(address: string | undefined, { bucket, run }: FetchWords): RunAddress {
  if (address === undefined) {
    if (bucket === undefined)
      throw new InvalidInput(
        "address",
        address,
        "s3://BUCKET/runs/<runId>, s3://BUCKET, or --bucket",
      );
    return { bucket, ...(run !== undefined && { runId: run }) };
  }
  if (bucket === undefined && run === undefined) return parseRunAddress(address);
  throw new InvalidInput("address", address, "an address, or --bucket and --run, not both");
}
