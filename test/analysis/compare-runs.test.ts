import { describe, expect, it } from "vitest";
import {
  compareRuns,
  differingConditions,
  listUnshared,
  type OneRun,
} from "../../lib/analysis/compare-runs.ts";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { type FixtureChoice, fixturePlan } from "../report/support/fixture.ts";
import { oneRun } from "./support/one-run.ts";

const choice = {
  ...{ target: "aws", memoryMb: [128, 512], variants: ["rust", "python"], operations: ["get"] },
  ...{ cold: 8, warm: 40 },
} as const satisfies FixtureChoice;

const margin = 0.05;
const isWarmPython = ({ cell, phase }: Sample) => cell.variant === "python" && phase === "warm";
const slowerPython = (by: number) =>
  oneRun(choice, { factorOf: (sample) => (isWarmPython(sample) ? by : 1) });

/** Returns the changes of one function's warm calls at a size. */
function warmChange(before: OneRun, after: OneRun, cellId: string, options = { margin }) {
  const changes = compareRuns([{ before, after }], options);
  return changes.find(({ cell, phase }) => cell.id === cellId && phase === "warm");
}

describe("the comparison of two runs", () => {
  it("is of each series that both have, in the earlier plan's order, and primary in each phase once", async () => {
    const run = await oneRun(choice);
    const changes = compareRuns([{ before: run, after: run }], { margin });
    const cells = ["rust-arm64-128", "python-arm64-128", "rust-arm64-512", "python-arm64-512"];
    const quantities = [
      ...["cold initAndDurationMs", "cold initDurationMs descriptive"],
      ...["cold durationMs descriptive", "second durationMs", "warm durationMs"],
    ];
    const named = changes.map(
      ({ cell, phase, quantity, descriptive }) =>
        `${cell.id} ${phase} ${quantity}${descriptive ? " descriptive" : ""}`,
    );
    const [cold, others] = [quantities.slice(0, 3), quantities.slice(3)];
    expect(named).toEqual([
      ...cells.flatMap((cell) => cold.map((each) => `${cell} ${each}`)),
      ...others.flatMap((each) => cells.map((cell) => `${cell} ${each}`)),
    ]);
    for (const { before, after, ratio } of changes) {
      expect(after).toEqual(before);
      expect(ratio).toBeCloseTo(1, 9);
    }
  });

  it("has the later run's time over the earlier one's, with how far and how surely they lie apart", async () => {
    const [before, after] = [await oneRun(choice), await slowerPython(1.5)];
    const longer = warmChange(before, after, "python-arm64-128");
    const environments = { environments: 8, baselineEnvironments: 8 };
    expect(longer).toMatchObject({
      ...{ verdict: "slower", ratio: expect.closeTo(1.5, 9), cliffsDelta: 1, ...environments },
    });
    expect(longer?.shiftMs).toBeCloseTo((longer?.before.mean ?? 0) / 2, 0);
    expect(longer?.adjustedPValue).toBeLessThan(0.05);
    expect(longer?.pValue).toBeLessThan(longer?.adjustedPValue ?? 0);
    const back = warmChange(after, before, "python-arm64-128");
    expect(back).toMatchObject({ verdict: "faster", cliffsDelta: -1 });
    expect(back?.shiftMs).toBeCloseTo(-(longer?.shiftMs ?? 0), 9);
    expect(warmChange(before, after, "rust-arm64-128")?.ratio).toBeCloseTo(1, 9);
  });

  it("calls a change by the margin that it is given, and none of fewer than six environments", async () => {
    const [before, after] = [await oneRun(choice), await slowerPython(1.4)];
    const verdictAt = (each: number) =>
      warmChange(before, after, "python-arm64-512", { margin: each })?.verdict;
    expect([0.05, 1].map(verdictAt)).toEqual(["slower", "equivalent"]);
    const few = await oneRun({ ...choice, cold: 5, warm: 25 });
    const undecided = warmChange(few, after, "python-arm64-512");
    expect(undecided).toMatchObject({ verdict: "undecided", undecidedReason: "too-few" });
    expect(undecided).toMatchObject({ environments: 8, baselineEnvironments: 5 });
    const none = await oneRun(choice, { isKept: (sample) => !isWarmPython(sample) });
    const unmeasured = warmChange(none, after, "python-arm64-512");
    expect(unmeasured).toMatchObject({ undecidedReason: "too-few", baselineEnvironments: 0 });
    expect(unmeasured).not.toHaveProperty("shiftMs");
  });

  it("rests at the size of an A/A pair on the larger difference of both runs' pairs, of deployments alone", async () => {
    const isReplica = ({ cell }: Sample) => cell.replicaOf !== undefined;
    const [before, after] = [await oneRun(choice), await slowerPython(1.5)];
    const reasonAt = (size: number, one: OneRun, other: OneRun) =>
      warmChange(one, other, `python-arm64-${size}`)?.undecidedReason;
    const noisy = (target: "aws" | "local") =>
      oneRun({ ...choice, target }, { factorOf: (sample) => (isReplica(sample) ? 2 : 1) });
    const floored = await noisy("aws");
    expect(reasonAt(128, floored, after)).toBe("inside-noise-floor");
    expect(reasonAt(128, after, floored)).toBe("inside-noise-floor");
    expect(reasonAt(512, floored, after)).toBeUndefined();
    expect(reasonAt(128, before, after)).toBeUndefined();
    expect(reasonAt(128, await noisy("local"), after)).toBeUndefined();
  });

  it("leaves out cells and operations that one run alone has, and names them", async () => {
    const run = await oneRun({ ...choice, operations: ["get", "put"] });
    const other = await oneRun({ ...choice, variants: ["rust"], memoryMb: [128, 1769] });
    const unshared = ["python-arm64-128", "rust-arm64-512", "python-arm64-512", "rust-arm64-1769"];
    expect(listUnshared(run.plan, other.plan).toSorted()).toEqual(
      [...unshared, "warm put"].toSorted(),
    );
    const shared = compareRuns([{ before: run, after: other }], { margin });
    expect(new Set(shared.map(({ cell }) => cell.id))).toEqual(new Set(["rust-arm64-128"]));
    expect(new Set(shared.map(({ operation }) => operation))).toEqual(
      new Set([run.plan.coldOperation, "get"]),
    );
    expect(listUnshared(run.plan, run.plan)).toEqual([]);
    const cold = fixturePlan({ ...choice, warm: 0 });
    expect(listUnshared(cold, fixturePlan(choice))).toEqual(["warm get"]);
    const warm = { ...run.plan, sizes: { ...run.plan.sizes, environments: 0 } };
    expect(listUnshared(run.plan, warm)).toEqual(["cold starts"]);
  });

  it("has a range on Lambda where both were measured on one machine, of what it predicts alone", async () => {
    const here = { ...choice, target: "local", replica: false } as const;
    const run = await oneRun(here);
    const predicted = compareRuns([{ before: run, after: run }], { margin }).filter(
      ({ onLambda }) => onLambda !== undefined,
    );
    const ranged = predicted.map(({ cell, phase, quantity }) => `${cell.id} ${phase} ${quantity}`);
    // Nothing changed: each range has 1 within it.
    for (const { onLambda } of predicted) {
      expect(onLambda?.low).toBeLessThan(1);
      expect(onLambda?.high).toBeGreaterThan(1);
    }
    expect(ranged).toContain("python-arm64-512 cold initAndDurationMs");
    expect(ranged).toContain("python-arm64-512 warm durationMs");
    expect(ranged.join()).not.toMatch(/second|initDurationMs|cold durationMs/);
    const onAws = await oneRun({ ...here, target: "aws" });
    for (const [before, after] of [
      [run, onAws],
      [onAws, run],
    ] as const) {
      const changes = compareRuns([{ before, after }], { margin });
      expect(changes.some(({ onLambda }) => onLambda !== undefined)).toBe(false);
    }
  });
});

describe("the conditions in which two runs differ", () => {
  const local = { ...choice, target: "local" } as const;
  const noise = (otherCpus: number) => ({
    intervals: [{ block: 0, seconds: 10, otherCpus, stolenCpus: 0 }],
  });

  it("are none of a run and itself", async () => {
    const run = await oneRun(local, { manifest: { noise: noise(0) }, plan: { idleMs: 80 } });
    expect(differingConditions(run, run)).toEqual([]);
  });

  it("are each named with what either run states", async () => {
    const before = await oneRun(local, { manifest: { noise: noise(0) }, plan: { idleMs: 80 } });
    const { machine, artefacts, versions } = before.manifest;
    if (machine === undefined) throw new Error("a local run has a machine");
    const [artefact, ...others] = artefacts;
    const after = await oneRun(
      { ...local, cold: 9, warm: 45, variants: ["rust"] },
      {
        manifest: {
          ...{ status: "partial", region: "eu-west-1", noise: noise(1), versions: { node: "22" } },
          machine: {
            ...{ ...machine, cpuModel: "Another", cpus: 4, os: "Linux 6.2", transport: "HTTP" },
            ...{ cpuQuota: "unthrottled", bandwidthSliceMs: 5, staysOnOneCpu: true },
            networkProfile: "same-zone",
          },
          artefacts: [{ ...Object(artefact), sha256: "c".repeat(64) }, ...others],
        },
      },
    );
    const found = differingConditions(before, after);
    expect(Object.fromEntries(found.map(({ what, ...sides }) => [what, sides]))).toStrictEqual({
      status: { before: "complete", after: "partial" },
      region: { after: "eu-west-1" },
      environments: { before: "8 cold, 8 x 5 warm", after: "9 cold, 9 x 5 warm" },
      cells: { before: "5", after: "3" },
      "idle before a call, ms": { before: "80" },
      "CPU model": { before: "A processor", after: "Another" },
      CPUs: { before: "2", after: "4" },
      "operating system": { before: "Linux 6.1", after: "Linux 6.2" },
      "CPU quota": { before: "cgroup-v2", after: "unthrottled" },
      "bandwidth slice, ms": { after: "5" },
      "functions stay on one CPU": { after: "true" },
      transport: { before: "TLS 1.3 on loopback", after: "HTTP" },
      "network profile": { after: "same-zone" },
      "machine's other work": { before: "quiet", after: "busy" },
      "artefact rust (arm64)": { before: "a".repeat(12), after: "c".repeat(12) },
      "version of node": { before: versions.node, after: "22" },
      ...Object.fromEntries(
        ["kelvin", "rust", "python"].map((name) => [
          `version of ${name}`,
          { before: versions[name] },
        ]),
      ),
    });
  });

  it("include the times at which an import's calls were made", async () => {
    const imported = (hour: number) =>
      ({
        windows: [
          {
            ...{ cellId: "rust-arm64-128", from: `2026-01-05T0${hour}:00:00.000Z` },
            to: `2026-01-05T0${hour}:30:00.000Z`,
          },
        ],
      }) as unknown as NonNullable<OneRun["manifest"]["imported"]>;
    const [before, after] = await Promise.all(
      [1, 2].map((hour) => oneRun(choice, { manifest: { imported: imported(hour) } })),
    );
    expect(differingConditions(before as OneRun, after as OneRun)).toEqual([
      {
        what: "time of the calls",
        before: "2026-01-05 01:00 to 01:30 UTC",
        after: "2026-01-05 02:00 to 02:30 UTC",
      },
    ]);
  });
});
