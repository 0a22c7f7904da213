import { describe, expect, it } from "vitest";
import { measure } from "../../lambdas/driver/measure.ts";
import { S3ResultStore } from "../../lib/aws/s3-result-store.ts";
import type { CellFailure, Manifest, Plan, Sample } from "../../lib/contract/types/contract.ts";
import { DiskResultStore, earlierTrials } from "../../lib/local/disk-result-store.ts";
import type { FakeAws } from "../support/fake-aws/driver-ports.ts";
import type { FakeLambdaOptions } from "../support/fake-aws/fake-lambda.ts";
import { samplesIn } from "../support/recorded-samples.ts";
import {
  execute,
  executionArn,
  file,
  portsFor,
  stoppedAt,
  stored,
} from "../support/state-machine.ts";
import { folderPerTest } from "../support/temporary-folder.ts";
import { oneTrial, run, twoSizes } from "../support/two-sizes-run.ts";

const oneCell = { ...oneTrial, cold: 2, warm: 8 };
const cellId = "python-arm64-512";

/** A run whose every call takes a minute of its driver's fifteen. */
async function slowRun(options: FakeLambdaOptions = {}, onSecondPart = (_: FakeAws) => {}) {
  const ports = portsFor(twoSizes, {
    ...options,
    onInvoke: (call, answer) => {
      ports.clock.ms += 60_000;
      return options.onInvoke?.(call, answer) ?? answer;
    },
  });
  const execution = await execute(twoSizes, ports, oneCell, (_, { progress }) => {
    if (progress !== undefined) onSecondPart(ports);
  });
  return { ...execution, ports };
}

const shapeOf = (samples: readonly Sample[]) =>
  samples.map(({ block, phase, operation, sequence, rejected, result }) => {
    const { bootId, invocation } = result as { bootId: string; invocation: number };
    return [block, sequence, phase, operation, rejected?.reason, bootId, invocation].join(" ");
  });

/** For all who only look at it. */
const slow = await slowRun();

describe("a trial that its driver cannot finish", () => {
  it("is gone on with by another, in the same environment, as if it were one", async () => {
    const { ports, end } = slow;
    const whole = await run(oneCell);
    expect(end.status).toBe("SUCCEEDED");
    expect(shapeOf(stored<Sample>(ports, "samples"))).toEqual(
      shapeOf(stored<Sample>(whole.ports, "samples")),
    );
    expect(stored<CellFailure>(ports, "failures")).toEqual([]);
    const counts = (of: FakeAws) => file<Manifest>(of, "manifest.json").counts;
    expect(counts(ports)).toEqual(counts(whole.ports));
    expect(ports.fakeLambda.requests).toEqual(whole.ports.fakeLambda.requests);
  });

  it("costs two more transitions each time, and none that is not estimated otherwise", () => {
    const { ports, history, transitions } = slow;
    const { estimate, blocks } = file<Plan>(ports, "plan.json");
    const trials = blocks.flatMap((block) => block.trials).length;
    const handovers = history.filter((state) => state === "Measure").length - trials;
    expect(handovers).toBe(2);
    expect(transitions).toBe((estimate?.transitions ?? 0) + 2 * handovers);
  });

  it("is kept in parts, the second driver's after the first one's", () => {
    const { ports } = slow;
    const written = ports.fakeS3.writes.filter((key) => key.includes("/samples/"));
    const names = written.map((key) => key.split("/").at(-1) ?? "");
    expect(names).toEqual([...names].sort());
    for (const first of ["0000.jsonl", "0000_000014.jsonl", "0001.jsonl", "0001_000014.jsonl"]) {
      expect(names).toContain(first);
    }
  });
});

describe("a trial in two parts", () => {
  const directory = folderPerTest();

  it("is one trial to whatever reads samples: in S3, on disk under the same names, and to go on with", async () => {
    const { ports } = slow;
    const plan = file<Plan>(ports, "plan.json");
    const remote = new S3ResultStore(ports.s3, ports.bucketName, plan.runId);
    const samples = await samplesIn(remote);
    const perTrial = samples.length / 2;
    expect(samples.map(({ sequence }) => sequence)).toEqual(
      samples.map((_, index) => index % perTrial),
    );
    const local = new DiskResultStore(directory());
    for (const path of await remote.list("samples")) {
      await local.writeText(path, (await remote.readText(path)) ?? "");
    }
    expect(await samplesIn(local)).toEqual(samples);
    const earlier = await earlierTrials(local, plan);
    for (const block of [0, 1]) expect(earlier.find(cellId, block)).toEqual({ state: "done" });
  });
});

describe("a handover", () => {
  it("to an environment that was replaced fails the trial, and keeps the calls that showed it", async () => {
    const { ports, end } = await slowRun({}, ({ fakeLambda }) => {
      for (const each of fakeLambda.functions.values()) {
        each.boot += 1;
        each.invocations = 0;
      }
    });
    expect(end.status).toBe("SUCCEEDED");
    expect(stored<CellFailure>(ports, "failures")).toMatchObject([
      { block: 0, type: "boot-id-changed" },
      { block: 1, type: "boot-id-changed" },
    ]);
    const after = stored<Sample>(ports, "samples").filter(({ sequence }) => sequence >= 14);
    expect(after.map(({ rejected }) => rejected?.reason)).toEqual(
      Array.from({ length: 2 * 3 }, () => "boot-id-changed"),
    );
  });

  it("that made no progress is a failure of the trial, and no other driver is called", async () => {
    const { ports } = await run(oneCell, { onDriver: stoppedAt("seed") });
    const { runId } = file<Plan>(ports, "plan.json");
    const [functionName = ""] = ports.fakeLambda.functions.keys();
    const progress = {
      ...{ sequence: 14, nextInvocation: 14, errorsInARow: 0, otherBootsInARow: 0 },
      bootId: `${functionName}-boot-number-2`,
    };
    const execution = executionArn(1);
    const request = { folder: runId, cellId, block: 1, functionName, execution };
    const timeForNone = 60_000;
    const before = ports.fakeLambda.requests.length;
    for (const from of [{}, { progress }]) {
      await expect(measure({ ...request, ...from }, ports, timeForNone)).resolves.toMatchObject({
        cellId,
      });
    }
    expect(ports.fakeLambda.requests).toHaveLength(before);
    expect(stored<CellFailure>(ports, "failures")).toEqual([
      {
        ...{ cellId, block: 1, type: "TrialCutShort" },
        message: "the driver's time ended before it made a call, from sequence 14",
      },
    ]);
  });

  it("is not made where forcing cold took all of the driver's time", async () => {
    const ports = portsFor(twoSizes, {
      onUpdate: () => {
        ports.clock.ms += 14 * 60_000;
        return undefined;
      },
    });
    const { end, history } = await execute(twoSizes, ports, oneCell);
    expect(end).toMatchObject({ status: "FAILED", error: "NothingCounts" });
    expect(history.filter((state) => state === "Measure")).toHaveLength(1);
    expect(stored<CellFailure>(ports, "failures").map(({ type }) => type)).toEqual([
      "TrialCutShort",
    ]);
  });
});
