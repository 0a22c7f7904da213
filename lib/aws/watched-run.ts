import { GetObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import type { Plan } from "../contract/types/contract.ts";
import { validated } from "../contract/validate.ts";
import { firstBlocks } from "../plan/blocks.ts";
import { plannedSamples } from "../plan/expand.ts";
import { remoteFiles } from "./fetch-run.ts";

/** Progress of one experiment of a run. */
export interface ExperimentProgress {
  readonly plan: Plan;
  /** The blocks that are measured to their end. */
  readonly blocksDone: number;
  /** The samples of those blocks, as planned. */
  readonly samplesDone: number;
  /** All that are planned; with a stopping rule the most that there may be. */
  readonly samplesPlanned: number;
  readonly failedTrials: number;
  readonly isReported: boolean;
}

/**
 * Reads from the names of a run's files in S3 how far it is: a trial's samples are written as they come, in
 * a file that is named for its block, and a block begins when the one before it has ended.
 */
export class WatchedRun {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #runId: string;
  /** Plans by the path of their file, which is written once. */
  readonly #plans = new Map<string, Plan>();

  constructor(client: S3Client, bucket: string, runId: string) {
    this.#client = client;
    this.#bucket = bucket;
    this.#runId = runId;
  }

  /** Returns the experiments whose plans are there, in the order of their folders. */
  async look(): Promise<readonly ExperimentProgress[]> {
    const files = await remoteFiles(this.#client, this.#bucket, this.#runId);
    const paths = files.map(({ path }) => path);
    const found: ExperimentProgress[] = [];
    for (const path of paths.filter((each) => /^([^/]+\/)?plan\.json$/.test(each))) {
      const folder = path.slice(0, -"plan.json".length);
      const below = paths.filter((each) => each.startsWith(folder));
      const relative = below.map((each) => each.slice(folder.length));
      found.push(experimentProgress(await this.#plan(path), relative));
    }
    return found;
  }

  async #plan(path: string): Promise<Plan> {
    const known = this.#plans.get(path);
    if (known !== undefined) return known;
    const Key = `runs/${this.#runId}/${path}`;
    const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key }));
    const plan = validated("plan", JSON.parse((await Body?.transformToString("utf8")) ?? ""));
    this.#plans.set(path, plan);
    return plan;
  }
}

/** @param paths of the experiment's files, below its folder */
function experimentProgress(plan: Plan, paths: readonly string[]): ExperimentProgress {
  const trials = paths.flatMap((path) => {
    const [, what, block] = /^(samples|failures)\/[^/]+\/(\d{4,})[^/]*$/.exec(path) ?? [];
    return block === undefined ? [] : [{ isFailure: what === "failures", block: Number(block) }];
  });
  const isReported = paths.includes("manifest.json");
  const begun = trials.reduce((most, { block }) => Math.max(most, block + 1), 0);
  // The last one that has begun is under way, or has just ended.
  const blocksDone = isReported ? begun : Math.max(0, begun - 1);
  return {
    ...{ plan, blocksDone, isReported },
    samplesDone: blocksDone === 0 ? 0 : plannedSamples(firstBlocks(plan, blocksDone)),
    samplesPlanned: plannedSamples(plan),
    failedTrials: trials.filter(({ isFailure }) => isFailure).length,
  };
}
