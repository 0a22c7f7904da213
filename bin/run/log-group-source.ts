import type { CloudWatchLogsClient, FilteredLogEvent } from "@aws-sdk/client-cloudwatch-logs";
import { accountAccess, callerCredentials } from "../../lib/aws/account-access.ts";
import { logGroupPages, logGroupProblem, logsClient } from "../../lib/aws/log-group.ts";
import { defined } from "../../lib/contract/defined.ts";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import { LogEntries } from "../../lib/import/log-entries.ts";
import type { ReadSource } from "../../lib/import/source.ts";
import type { Progress } from "../progress.ts";
import { interruption, stoppingText } from "./until-ended.ts";

/** The log group to read, and the start of its time range. */
export interface LogGroupOptions {
  readonly logGroup: string;
  /** ms since 1970. @default a day ago */
  readonly since?: number;
  /** @default the AWS CLI's */
  readonly region?: string;
}

/** How the reading ended; `cut` if AWS did not continue. */
export type Ending = "whole" | "interrupted" | "cut";

/** A source and, for a file, the SHA-256 of its bytes in hex. */
export interface HashedSource {
  readonly source: ReadSource;
  readonly sha256?: string;
}

const dayMs = 86_400_000;

/**
 * Reads the reports of a log group. If Ctrl-C or an error from AWS ends the reading, what was read is kept, with a
 * warning that names the last event's time. Throws if nothing was read.
 * @param client a fake in tests
 */
export async function readLogGroup(
  { logGroup, since = Date.now() - dayMs, region: named }: LogGroupOptions,
  progress: Progress,
  client: CloudWatchLogsClient = logsClient({
    credentials: callerCredentials(),
    region: async () => (await accountAccess({ region: named })).region,
  }),
): Promise<HashedSource & { readonly ending: Ending }> {
  const window = { logGroupName: logGroup, startTime: since, endTime: Date.now() };
  const region = await regionOf(client);
  const { signal, release } = interruption(progress, stoppingText("what was read"));
  const reading = new Reading(logGroup, region, progress);
  let ending: Ending = "whole";
  let cause = "";
  try {
    for await (const events of logGroupPages(client, window, signal)) reading.addPage(events);
  } catch (error) {
    const problem = logGroupProblem(error, window, region);
    const isLimit = error instanceof InvalidInput;
    if (isLimit || (!signal.aborted && reading.reports === 0)) throw problem;
    if (reading.reports === 0) throw new Error("stopped before a report was read");
    ending = signal.aborted ? "interrupted" : "cut";
    cause = signal.aborted ? "interrupted" : describeError(problem).message;
  } finally {
    release();
    progress.end();
  }
  const source = reading.end(ending === "whole" ? undefined : cause);
  if (source.invocations.length > 0) return { source, ending };
  throw new InvalidInput(
    "log-group",
    logGroup,
    `one with reports since ${new Date(since).toISOString()}: ${source.read} events of Lambda's were read, and no report of an invocation`,
  );
}

async function regionOf(client: CloudWatchLogsClient): Promise<string> {
  try {
    return await client.config.region();
  } catch {
    throw new InvalidInput("region", undefined, "a region: --region, AWS_REGION or the profile's");
  }
}

/** Collects pages as they arrive, and the time of the latest event. */
class Reading {
  readonly #name: string;
  readonly #progress: Progress;
  readonly #entries: LogEntries;
  #events = 0;
  #latestMs: number | undefined;

  constructor(name: string, region: string, progress: Progress) {
    this.#name = name;
    this.#progress = progress;
    const [, ofGroup] = /^\/aws\/lambda\/(.+)$/.exec(name) ?? [];
    const functionNames = ofGroup === undefined ? [] : [ofGroup];
    this.#entries = new LogEntries(name, "log-group", { functionNames, regions: [region] });
  }

  get reports(): number {
    return this.#entries.invocations;
  }

  addPage(events: readonly FilteredLogEvent[]): void {
    for (const { message = "", timestamp, logStreamName } of events) {
      this.#events += 1;
      if (timestamp !== undefined)
        this.#latestMs = Math.max(this.#latestMs ?? timestamp, timestamp);
      const context = defined({ time: timestamp, stream: logStreamName });
      this.#entries.add({ line: this.#events, text: message, isMessage: true, ...context });
    }
    const { invocations, streams } = this.#entries;
    const until = this.#latestMs === undefined ? "" : `, up to ${this.#latest()}`;
    this.#progress.show(`${invocations} reports in ${streams} log streams so far${until}`);
  }

  end(cause: string | undefined): ReadSource {
    const read = this.#entries.end();
    if (cause === undefined) return read;
    const warning = `${this.#name} was read up to ${this.#latest()} and no further (${cause}): what came later is missing`;
    return { ...read, warnings: [...read.warnings, warning] };
  }

  #latest(): string {
    return this.#latestMs === undefined ? "no event" : new Date(this.#latestMs).toISOString();
  }
}
