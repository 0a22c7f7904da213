import { describe, expect, it } from "vitest";
import { planRun } from "../../lambdas/driver/plan.ts";
import type { Manifest, Plan } from "../../lib/contract/types/contract.ts";
import { experimentById, experiments } from "../../lib/experiments/catalogue.ts";
import { plannedSamples } from "../../lib/plan/expand.ts";
import type { ExperimentPage } from "../../lib/report/experiment-report.ts";
import { parseChecksums } from "../../lib/sampler/checksums.ts";
import { definitionOf } from "../support/asl-definition.ts";
import type { FakeAws } from "../support/fake-aws/driver-ports.ts";
import {
  deployedEnvironment,
  execute,
  executionArn,
  invocations,
  type OnDriver,
  planRequest,
  portsFor,
} from "../support/state-machine.ts";
import { synthTemplate } from "../support/synth.ts";

const ids = ["dynamodb", "compute", "multicore"];
const context = { experiments: ids.join(","), memory: "128,1536", variants: "rust" };
const machine = definitionOf(synthTemplate({ ...context, preset: "quick" }));
const short = { cold: 2, warm: 0, seed: 1 };
const shortest = { ...short, cold: 1 };

/** What each operation must return is in its experiment's definition; noop and the table's return nothing. */
const results = Object.assign(
  {},
  ...experiments.map(({ requests = {} }) =>
    Object.fromEntries(Object.entries(requests).map(([name, { expected }]) => [name, expected])),
  ),
) as Readonly<Record<string, object>>;

/** What a function with a pool of one thread says of it. */
const pool = { workers: 1, mode: "sequential", threadsUsed: 1, detectedCpus: 1, avgMsPerItem: 1 };

async function run(input: object, onDriver?: OnDriver, of = machine) {
  const ports = portsFor(of, {
    onInvoke: ({ name, operation }, answer) => ({
      ...answer,
      payload: {
        ...(answer.payload as object),
        ...results[operation],
        ...(name.startsWith("multicore") && pool),
      },
    }),
  });
  return { ...(await execute(of, ports, input, onDriver)), ports };
}

const keys = ({ fakeS3 }: FakeAws) => fakeS3.keys("runs/");
const runId = (ports: FakeAws) => keys(ports)[0]?.split("/")[1] ?? "";
const text = (ports: FakeAws, path: string) =>
  ports.fakeS3.objects.get(`runs/${runId(ports)}/${path}`) ?? "";
const json = <Kind>(ports: FakeAws, path: string) => JSON.parse(text(ports, path)) as Kind;

const planned = async (input: object) =>
  await planRun(planRequest(machine, input, executionArn(1)), portsFor(machine));
const costOf = async (input: object) =>
  (await planned({ ...short, ...input })).estimate?.costUsd ?? Number.NaN;

it("a run that is started with {} measures every deployed experiment, one after another, with the preset of the stack", async () => {
  // Those whose presets have the fewest calls.
  const deployed = ["multicore", "sha256"];
  const stack = { experiments: deployed.join(","), memory: "1536", variants: "rust" };
  const quick = definitionOf(synthTemplate({ ...stack, preset: "quick" }));
  const { end, ports, history } = await run({}, undefined, quick);
  expect(end).toMatchObject({ status: "SUCCEEDED" });
  for (const id of deployed) {
    const plan = json<Plan>(ports, `${id}/plan.json`);
    const { sizes, runId: ofPlan } = plan;
    expect(plan).toMatchObject({ experiment: id, preset: "quick" });
    expect(sizes.environments).toBe(experimentById(id).presets.quick.environments);
    expect(ofPlan).toBe(runId(ports));
    const manifest = json<Manifest>(ports, `${id}/manifest.json`);
    expect(manifest).toMatchObject({ status: "complete", experiment: id });
    expect(manifest.counts).toMatchObject({
      recorded: plannedSamples(plan),
      rejected: expect.not.objectContaining({ "wrong-result": expect.anything() }),
    });
  }
  expect(history.filter((state) => state === "Plan")).toHaveLength(1);
  expect(history.filter((state) => state === "Overview")).toHaveLength(1);
  const steps = history.filter((state) => /^(Seed|Restore|Report)$/.test(state));
  expect(steps).toEqual(deployed.flatMap(() => ["Seed", "Restore", "Report"]));
});

describe("a run of several experiments", async () => {
  const whole = await run(short);

  it("is estimated as a whole, with the transitions that the state machine makes", async () => {
    const { ports, transitions, end } = whole;
    expect(end.status).toBe("SUCCEEDED");
    const plans = ids.map((id) => json<Plan>(ports, `${id}/plan.json`));
    const { estimate } = await planned(short);
    expect(estimate?.transitions).toBe(transitions);
    const own = plans.reduce((sum, plan) => sum + (plan.estimate?.costUsd ?? 0), 0);
    expect(estimate?.costUsd).toBeLessThan(own);
    expect(estimate?.costUsd).toBeGreaterThan(own * 0.8);
  });

  it("is refused where maxCostUsd holds each experiment and not their sum", async () => {
    const costs = await Promise.all(ids.map(async (experiment) => await costOf({ experiment })));
    const sum = await costOf({});
    const maxCostUsd = (Math.max(...costs) + sum) / 2;
    expect(maxCostUsd).toBeLessThan(sum);
    const { end, history, ports } = await run({ ...short, maxCostUsd });
    expect(history).toEqual(["Plan", "Not started"]);
    expect(end).toHaveProperty("cause", expect.stringContaining("maxCostUsd: found"));
    expect(invocations(ports)).toEqual([]);
    expect(ports.fakeS3.writes).toEqual([]);
  });

  it("takes the stack once, for all of them", () => {
    const { ports } = whole;
    expect(ports.fakeS3.writes.filter((key) => key === "lock.json")).toHaveLength(1);
    const holder = JSON.parse(ports.fakeS3.objects.get("lock.json") ?? "null");
    expect(holder).toMatchObject({ execution: executionArn(1), runId: runId(ports) });
  });

  it("leaves one report with a sentence an experiment, and the whole of each", () => {
    const { end, ports } = whole;
    const address = `s3://results/runs/${runId(ports)}/report.html`;
    expect(end).toMatchObject({
      output: { runId: runId(ports), files: { "report.html": address } },
    });
    const markdown = text(ports, "report-full.md");
    const { experiments: found } = json<{ experiments: { finding: string }[] }>(
      ports,
      "summary.json",
    );
    // The stack has one variant of each, which is not compared with another.
    const titles = [
      "DynamoDB: Rust (default build)",
      "Compute: Rust",
      experimentById("multicore").title,
    ];
    expect(found).toMatchObject(
      ids.map((id, index) => ({ experiment: id, title: titles[index], status: "complete" })),
    );
    for (const [index, id] of ids.entries()) {
      const title = titles[index];
      expect(markdown).toContain(`\n## ${title}\n`);
      expect(markdown).toContain(`- **${title}:** ${found[index]?.finding.slice(0, 20)}`);
      expect(json<ExperimentPage>(ports, `${id}/report.json`)).toMatchObject({ experiment: id });
    }
    expect(markdown.match(/\n#### Conditions\n/g)).toHaveLength(ids.length);
  });

  it("ends with checksums of what was measured in all of them", () => {
    const { ports } = whole;
    expect(ports.fakeS3.writes.at(-1)).toBe(`runs/${runId(ports)}/SHA256SUMS`);
    const listed = [...parseChecksums(text(ports, "SHA256SUMS")).keys()];
    const measured = keys(ports)
      .filter((key) => /\/(plan\.json|manifest\.json|samples\/.*)$/.test(key))
      .map((key) => key.split("/").slice(2).join("/"));
    expect(listed.sort()).toEqual(measured.sort());
  });
});

describe("an experiment that fails among others", () => {
  it("is restored, reported and named, and the others are measured", async () => {
    const { end, ports } = await run(shortest, (handler, { experiment }) => {
      if (handler === "DriverseedFunction" && experiment === "compute") throw new Error("no seed");
    });
    const report = `s3://results/runs/${runId(ports)}/report.md`;
    expect(end).toMatchObject({
      status: "FAILED",
      error: "Error",
      cause: expect.stringMatching(
        `^compute: no seed; \\d+ of \\d+ planned samples count; what was measured: ${report}`,
      ),
    });
    expect(json<Manifest>(ports, "compute/manifest.json").status).toBe("partial");
    expect(json<Manifest>(ports, "multicore/manifest.json").status).toBe("complete");
    const samples = keys(ports).filter((key) => key.includes("/samples/"));
    expect(new Set(samples.map((key) => key.split("/")[2]))).toEqual(
      new Set(["dynamodb", "multicore"]),
    );
    expect(text(ports, "report.md")).toContain("**compute is PARTIAL:** 0 of ");
  });

  it("in the middle of its blocks leaves no function changed, and the next experiment whole", async () => {
    const { end, ports } = await run(short, (handler, { folder, block }) => {
      const isMeasured = handler !== "DriverrestoreFunction" && handler !== "DriverreportFunction";
      if (isMeasured && String(folder).endsWith("/compute") && block === 1) {
        throw new Error("no storage");
      }
    });
    expect(end).toHaveProperty("cause", expect.stringMatching(/^compute: .*no storage/));
    for (const { environment } of ports.fakeLambda.functions.values()) {
      expect(environment).toEqual(deployedEnvironment);
    }
    expect(json<Manifest>(ports, "multicore/manifest.json").status).toBe("complete");
    const { counts } = json<Manifest>(ports, "compute/manifest.json");
    expect(counts.recorded).toBeGreaterThan(0);
    expect(counts.recorded).toBeLessThan(counts.planned);
  });

  it("and another: both are named, with the first one's error", async () => {
    const { end } = await run(shortest, (handler, { folder }) => {
      if (handler !== "DriverreportFunction" || String(folder).endsWith("/compute")) return;
      throw Object.assign(new Error("no memory"), { name: "Runtime.OutOfMemory" });
    });
    expect(end).toMatchObject({
      status: "FAILED",
      error: "Runtime.OutOfMemory",
      cause: expect.stringMatching(
        /^dynamodb: no memory; multicore: no memory; \d+ of \d+ planned samples count; what was measured: s3:/,
      ),
    });
  });

  it("in its report alone is without one in the report of all, which then has no checksums", async () => {
    const { ports } = await run(shortest, (handler, { folder }) => {
      if (handler !== "DriverreportFunction" || !String(folder).endsWith("/compute")) return;
      throw new Error("no memory");
    });
    expect(text(ports, "report.md")).toContain("**No report of compute.** no memory");
    expect(keys(ports)).not.toContain(`runs/${runId(ports)}/SHA256SUMS`);
  });
});

describe("the choice of experiments", () => {
  const idsOf = async (input: object) =>
    (await planned({ ...short, ...input })).experiments.map(({ experiment }) => experiment);

  it("is one, or a list of those deployed, in the order of the stack", async () => {
    expect(await idsOf({ experiment: "compute" })).toEqual(["compute"]);
    expect(await idsOf({ experiment: ["multicore", "dynamodb"] })).toEqual([
      "dynamodb",
      "multicore",
    ]);
    await expect(idsOf({ experiment: ["dynamodb", "s3"] })).rejects.toThrow(
      'experiment: found "s3"; allowed: one or several of those deployed: dynamodb, compute, multicore',
    );
  });

  it("leaves out those that have no cell that was asked for, and says so", async () => {
    const { experiments: left, warnings } = await planned({ ...short, memoryMb: 128 });
    expect(left.map(({ experiment }) => experiment)).toEqual(["dynamodb", "compute"]);
    expect(warnings).toContain("multicore is left out: it has no cell with memoryMb 128");
    await expect(planned({ ...short, memoryMb: [128, 256] })).rejects.toThrow(
      "memoryMb: found 256; allowed: one or several of those deployed: 128, 1536",
    );
    await expect(planned({ ...short, experiment: "multicore", memoryMb: 128 })).rejects.toThrow(
      "memoryMb: found 128; allowed: one or several of those deployed: 1536",
    );
  });

  it("of one has its files in the run's own folder, of several in a folder each", async () => {
    const folders = async (experiment: string | readonly string[]) => {
      const { runId: id, experiments: all } = await planned({ ...short, experiment });
      return all.map(({ folder }) => folder.replace(id, "<runId>"));
    };
    expect(await folders("compute")).toEqual(["<runId>"]);
    expect(await folders(["dynamodb", "compute"])).toEqual(["<runId>/dynamodb", "<runId>/compute"]);
  });
});

it("a run of more blocks than an execution has room for is refused before it has begun", async () => {
  const four = definitionOf(
    synthTemplate({
      experiments: "dynamodb,first-request,compute,multicore",
      memory: "1536",
      variants: "rust-tuned,tuned,python,rust-interleaved",
    }),
  );
  const plan = async (input: object) =>
    await planRun(planRequest(four, input, executionArn(1)), portsFor(four));
  await expect(plan({ cold: 1000, warm: 0 })).rejects.toThrow(
    "cold: found 1000; allowed: fewer: the history of 4000 blocks would have 32200 events, and an execution's can have 24500",
  );
  const { experiments } = await plan({ cold: 700, warm: 0 });
  expect(experiments.map(({ inlineBlocks }) => inlineBlocks)).toEqual([79, 0, 0, 0]);
});

it("a run whose order of trials a state could not carry is refused before it has begun", async () => {
  const every = definitionOf(
    synthTemplate({ experiments: "first-request,dynamodb", architectures: "arm64,x86_64" }),
  );
  const ports = portsFor(every);
  const { end, history } = await execute(every, ports, { cold: 1000, warm: 0 }, (handler) => {
    if (handler !== "DriverplanFunction") throw new Error("nothing else is to run");
  });
  expect(history).toEqual(["Plan", "Not started"]);
  expect(end).toHaveProperty(
    "cause",
    expect.stringMatching(/^cold: found 1000; allowed: fewer: the order of the trials takes /),
  );
  expect(ports.fakeS3.writes).toEqual([]);
});
