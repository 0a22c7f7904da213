import { S3Client } from "@aws-sdk/client-s3";
import { beforeEach, describe, expect, it } from "vitest";
import { runText } from "../../bin/run/follow-run.ts";
import { WatchedRun } from "../../lib/aws/watched-run.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { FakeS3 } from "../support/fake-aws/fake-s3.ts";
import { configFor } from "../support/fake-aws/http.ts";
import { smallPlan } from "../support/small-plan.ts";

const runId = "20260101T0000Z-abcdef";
const estimate = {
  ...{ invocations: 0, minutes: 4, transitions: 0, costUsd: 0.4 },
  ...{ pricesDate: "2026-01-01", pricesRegion: "us-east-1" },
};
const plan: Plan = { ...smallPlan({ runId, target: "aws", cold: 4, warm: 0 }), estimate };
/** How long each block takes. */
const blockMs = 60_000;
let s3: FakeS3;
beforeEach(() => {
  s3 = new FakeS3(3);
});

const put = (path: string, text = "") => s3.objects.set(`runs/${runId}/${path}`, text);
/** Has these blocks begun, in every cell. */
function begin(folder: string, blocks: number): void {
  put(`${folder}plan.json`, JSON.stringify(plan));
  for (const { id } of plan.cells) {
    for (let block = 0; block < blocks; block += 1) {
      const path = `${folder}samples/${id}/000${block}.jsonl`;
      put(path);
      s3.modifiedMs.set(`runs/${runId}/${path}`, (block + 1) * blockMs);
    }
  }
}
const look = async () => await new WatchedRun(new S3Client(configFor(s3)), "results", runId).look();

describe("a run that is watched", () => {
  it("has no experiment before its plan is there", async () => {
    expect(await look()).toEqual([]);
    expect(runText([], 0, 0)).toBe("planning");
  });

  it("has the blocks before the one that has begun last, with their samples", async () => {
    begin("", 3);
    const [only] = await look();
    // Three cells with the replica, a cold and a second call in each environment.
    expect(only).toMatchObject({ blocksDone: 2, samplesDone: 12, samplesPlanned: 24 });
  });

  it("has all of them once the manifest is written", async () => {
    begin("", 4);
    put("manifest.json");
    expect((await look())[0]).toMatchObject({ blocksDone: 4, samplesDone: 24, isReported: true });
  });

  it("counts the trials that failed, which begin a block too", async () => {
    begin("", 1);
    put("failures/rust-arm64-128/0001.json");
    expect((await look())[0]).toMatchObject({ blocksDone: 1, failedTrials: 1 });
  });

  it("keeps experiments apart, each by its folder", async () => {
    begin("dynamodb/", 2);
    begin("compute/", 1);
    const found = await look();
    expect(found.map(({ blocksDone }) => blocksDone)).toEqual([0, 1]);
  });
});

describe("the line of progress", () => {
  it("never tells more time than before while blocks take equally long", async () => {
    const left: number[] = [];
    for (let nowMs = 1; nowMs < 4 * blockMs; nowMs += 5_000) {
      begin("", Math.ceil(nowMs / blockMs));
      const [, minutes = 0, seconds = 0] =
        /about (?:(\d+) min )?(\d+) s left/.exec(runText(await look(), 0, nowMs)) ?? [];
      left.push(60 * Number(minutes) + Number(seconds));
    }
    expect(left[0]).toBe(240);
    expect(left).toEqual([...left].sort((one, other) => other - one));
  });

  it("tells the time that is left by the estimate, scaled by what the blocks have taken", async () => {
    begin("", 0);
    expect(runText(await look(), 0, 60_000)).toBe(
      "0 of 4 blocks, 0 of 24 samples, about 3 min 0 s left, $0.00 so far",
    );
    begin("", 3);
    expect(runText(await look(), 0, 120_000)).toBe(
      "2 of 4 blocks, 12 of 24 samples, about 2 min 0 s left, about $0.20 so far",
    );
  });

  it("names the experiment of several, and sums samples and dollars over all", async () => {
    begin("compute/", 4);
    put("compute/manifest.json");
    begin("dynamodb/", 2);
    // Five of eight blocks have taken four minutes, of the five that were estimated.
    expect(runText(await look(), 0, 300_000)).toBe(
      "dynamodb: 1 of 4 blocks, 30 of 48 samples, about 1 min 24 s left, about $0.50 so far",
    );
  });

  it("says no dollars where a region's prices are not known, and at most where a rule ends the run", async () => {
    const { estimate: _, ...unpriced } = plan;
    const stopping = {
      ...{ untilPrecision: 0.05, maxSamples: 16, maxMinutes: 10 },
      mostBlocksBy: "maxSamples" as const,
    };
    begin("", 2);
    put("plan.json", JSON.stringify({ ...unpriced, stopping }));
    expect(runText(await look(), 0, 60_000)).toBe(
      "1 of at most 4 blocks, 6 of at most 24 samples, at most about 3 min 0 s left",
    );
  });
});
