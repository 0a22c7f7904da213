import { GetObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { currentPlan } from "../contract/earlier-schemas.ts";
import type { Plan } from "../contract/types/contract.ts";
import { validated } from "../contract/validate.ts";
import { firstBlocks } from "../plan/blocks.ts";
import { plannedSamples } from "../plan/expand.ts";
import { type RemoteFile, remoteFiles } from "./fetch-run.ts";

/** Progress of one experiment of a run. */
export interface ExperimentProgress {
  readonly plan: Plan;
  /** Number of completed blocks. */
  readonly blocksDone: number;
  /** When the last of them ended, since 1970. Absent if there are none, or S3 does not say. */
  readonly doneAtMs?: number;
  /** Planned samples of those blocks. */
  readonly samplesDone: number;
  /** All planned samples; with a stopping rule, the maximum. */
  readonly samplesPlanned: number;
  readonly failedTrials: number;
  readonly isReported: boolean;
}

/**
 * Infers a run's progress from the names of its files in S3. A trial's samples are written during the trial, to a
 * file named for its block, and a block begins when the previous one has ended.
 */
export class WatchedRun {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #runId: string;
  /** Cached plans by path: a plan file is written once. */
  readonly #plans = new Map<string, Plan>();

  constructor(client: S3Client, bucket: string, runId: string) {
    this.#client = client;
    this.#bucket = bucket;
    this.#runId = runId;
  }

  /** Returns the progress of each experiment whose plan is stored, in the order of their folders. */
  async look(): Promise<readonly ExperimentProgress[]> {
    const files = await remoteFiles(this.#client, this.#bucket, this.#runId);
    const found: ExperimentProgress[] = [];
    for (const { path } of files.filter((each) => /^([^/]+\/)?plan\.json$/.test(each.path))) {
      const folder = path.slice(0, -"plan.json".length);
      const below = files.filter((each) => each.path.startsWith(folder));
      const relative = below.map((each) => ({ ...each, path: each.path.slice(folder.length) }));
      found.push(experimentProgress(await this.#plan(path), relative));
    }
    return found;
  }

  async #plan(path: string): Promise<Plan> {
    const known = this.#plans.get(path);
    if (known !== undefined) return known;
    const Key = `runs/${this.#runId}/${path}`;
    const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key }));
    const plan = validated(
      "plan",
      currentPlan(JSON.parse((await Body?.transformToString("utf8")) ?? "")),
    );
    this.#plans.set(path, plan);
    return plan;
  }
}

type FoundFile = Pick<RemoteFile, "path" | "modifiedMs">;

/** @param files The experiment's files, with their paths relative to its folder. */
function experimentProgress(plan: Plan, files: readonly FoundFile[]): ExperimentProgress {
  const trials = files.flatMap(({ path, modifiedMs = 0 }) => {
    const [, what, block] = /^(samples|failures)\/[^/]+\/(\d{4,})[^/]*$/.exec(path) ?? [];
    if (block === undefined) return [];
    return [{ isFailure: what === "failures", block: Number(block), modifiedMs }];
  });
  const isReported = files.some(({ path }) => path === "manifest.json");
  const startedBlocks = trials.reduce((most, { block }) => Math.max(most, block + 1), 0);
  // The last block that has begun may still be in progress.
  const blocksDone = isReported ? startedBlocks : Math.max(0, startedBlocks - 1);
  const ended = trials.filter(({ block }) => block < blocksDone);
  const doneAtMs = Math.max(0, ...ended.map(({ modifiedMs }) => modifiedMs));
  return {
    plan,
    blocksDone,
    ...(doneAtMs > 0 && { doneAtMs }),
    isReported,
    samplesDone: blocksDone === 0 ? 0 : plannedSamples(firstBlocks(plan, blocksDone)),
    samplesPlanned: plannedSamples(plan),
    failedTrials: trials.filter(({ isFailure }) => isFailure).length,
  };
}
