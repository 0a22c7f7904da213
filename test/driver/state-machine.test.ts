import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Manifest, Plan, Sample } from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import { dynamodb } from "../../lib/experiments/dynamodb/definition.ts";
import { expand, plannedSamples } from "../../lib/plan/expand.ts";
import { matrix } from "../../lib/plan/matrix.ts";
import { definitionOf } from "../support/asl-definition.ts";
import { fakeCpuModel, fakeRuntimeVersion } from "../support/fake-aws/fake-lambda.ts";
import { fakeSamples } from "../support/recorded-samples.ts";
import {
  deployedEnvironment as environment,
  execute,
  failing,
  file,
  portsFor,
  stoppedAt,
  stored,
} from "../support/state-machine.ts";
import { synthTemplate } from "../support/synth.ts";
import { oneTrial, run, small, twoSizes } from "../support/two-sizes-run.ts";

const sequenceOf = (samples: readonly Sample[]) =>
  samples.map(({ cell, block, phase, operation, sequence, rejected }) =>
    [cell.id, block, phase, operation, sequence, rejected?.reason].join(" "),
  );

/** In the order of the plan's trials; stored samples come by cell. */
function inPlanOrder(plan: Plan, samples: readonly Sample[]): readonly Sample[] {
  return plan.blocks.flatMap((block) =>
    block.trials.flatMap(({ cellId }) =>
      samples.filter((sample) => sample.cell.id === cellId && sample.block === block.index),
    ),
  );
}

function sha256Of(text: string | undefined): string {
  return createHash("sha256")
    .update(text ?? "")
    .digest("hex");
}

/** What one run did, for all who only look at it. */
const whole = await run(small);

it("the estimate counts the transitions that the state machine makes", () => {
  const { ports, transitions } = whole;
  expect(file<Plan>(ports, "plan.json").estimate?.transitions).toBe(transitions);
});

it("where a number comes from is kept with every environment: the runtime's version and the CPU", () => {
  const samples = stored<Sample>(whole.ports, "samples");
  const cold = samples.filter(({ phase }) => phase === "cold");
  const told = samples.filter(({ cpuModel }) => cpuModel === fakeCpuModel);
  expect(cold.map(({ forcedCold }) => forcedCold?.runtimeVersionArn)).toEqual(
    cold.map(() => fakeRuntimeVersion),
  );
  const environmentOf = ({ cell, block }: Sample) => `${cell.id} ${block}`;
  expect(told.map(environmentOf)).toEqual(cold.map(environmentOf));
  expect(new Set(told.map(({ phase }) => phase))).toEqual(new Set(["warm"]));
});

describe("a run of every deployed cell", () => {
  const oneSize = definitionOf(synthTemplate({ memory: "128" }));
  const cells = matrix(dynamodb, {
    variants: ["rust", "rust-tuned", "python"],
    memoryMb: [128],
    architectures: ["arm64"],
  });
  const expanded = (
    { runId, createdAt, seed, lanes }: Plan,
    sizes: { cold?: number; warm?: number },
  ) =>
    expand(dynamodb, cells, {
      runId,
      createdAt,
      seed,
      lanes,
      target: "aws",
      preset: "standard",
      ...sizes,
    });

  it.each([
    ["{}", {}],
    ["the input that the console suggests", { Comment: "Insert your JSON here" }],
  ])("is of the standard preset when it is started with %s", async (_, input) => {
    const ports = portsFor(oneSize);
    await execute(oneSize, ports, input, stoppedAt("seed"));
    const plan = file<Plan>(ports, "plan.json");
    const local = expanded(plan, {});
    expect(plan.blocks).toEqual(local.blocks);
    expect(plan.cells).toEqual(local.cells);
    expect(plan.sizes).toEqual(local.sizes);
  });

  it("measures the sizes that it is given, as the local sampler would", async () => {
    const ports = portsFor(oneSize);
    const sizes = { cold: 2, warm: 9 };
    const { end, history } = await execute(oneSize, ports, sizes);
    expect(end).toMatchObject({ status: "SUCCEEDED" });
    const plan = file<Plan>(ports, "plan.json");
    const local = expanded(plan, sizes);
    expect(plan.blocks).toEqual(local.blocks);
    const samples = inPlanOrder(plan, stored<Sample>(ports, "samples"));
    expect(samples).toHaveLength(plannedSamples(plan));
    expect(sequenceOf(samples)).toEqual(sequenceOf(await fakeSamples(local)));
    expect(history.filter((state) => state === "Measure block")).toHaveLength(2);
  });
});

describe("a run", () => {
  it("makes its calls in the order of the plan, block after block", () => {
    const { ports } = whole;
    const plan = file<Plan>(ports, "plan.json");
    const updated = ports.fakeLambda.requests.filter((request) => request.startsWith("Update"));
    const trials = plan.blocks.flatMap((block) => block.trials);
    expect(updated.slice(0, trials.length).map((request) => request.replaceAll("-", ""))).toEqual(
      trials.map(({ cellId }) =>
        expect.stringMatching(`^Update dynamodb${cellId.replaceAll("-", "")}[0-9A-F]{8}$`),
      ),
    );
  });

  it("seeds the table before it measures", () => {
    const { ports, history } = whole;
    expect(ports.fakeDynamoDb.items).toHaveLength(25);
    expect(ports.fakeDynamoDb.items[3]).toMatchObject({ pk: { S: "seed" }, sk: { S: "item-03" } });
    expect(history.indexOf("Seed")).toBeLessThan(history.indexOf("Measure"));
  });

  it("writes samples and a manifest that keep the contract, and says where the report is", () => {
    const { end, ports } = whole;
    const { runId } = file<Plan>(ports, "plan.json");
    for (const sample of stored<Sample>(ports, "samples")) {
      expect(contractProblem("sample", sample)).toBeUndefined();
    }
    const manifest = file<Manifest>(ports, "manifest.json");
    expect(contractProblem("manifest", manifest)).toBeUndefined();
    expect(manifest).toMatchObject({ status: "complete", region: "us-east-1", cellFailures: [] });
    expect(manifest.artefacts[0]).toMatchObject({ sha256: "c2hhMjU2", zipBytes: 5_000_000 });
    const address = `s3://results/runs/${runId}/report.html`;
    expect(end).toMatchObject({ output: { runId, files: { "report.html": address } } });
    expect(end).toHaveProperty(
      "output.headline",
      expect.arrayContaining([expect.stringMatching(/^How sure: n = /)]),
    );
  });

  it("says in its output how it ended, what counts, and where to look", () => {
    const { end, ports } = whole;
    const { runId } = file<Plan>(ports, "plan.json");
    const { planned, recorded, kept, rejected } = file<Manifest>(ports, "manifest.json").counts;
    const page = "https://us-east-1.console.aws.amazon.com/s3/object/results?region=us-east-1";
    const { output } = end as { readonly output: object };
    expect(output).toMatchObject({
      status: "complete",
      counts: { planned, recorded, kept, rejected },
      samples: `${kept} of ${planned} planned samples count`,
      warnings: expect.arrayContaining([
        "2 environments a cell: a 95% interval of a median needs 6",
      ]),
      report: `${page}&prefix=runs/${runId}/report.html`,
      fetch: expect.stringMatching(new RegExp(`kelvin(\\.ts)? fetch --bucket .+ --run ${runId}$`)),
    });
    expect(output).not.toHaveProperty("firstError");
    expect(JSON.stringify(output)).not.toContain("\\n");
  });

  it("leaves the checksums of everything that was measured, as its last file", () => {
    const { ports } = whole;
    const prefix = ports.fakeS3.keys("runs/")[0]?.replace(/[^/]*$/, "") ?? "";
    expect(ports.fakeS3.writes.at(-1)).toBe(`${prefix}SHA256SUMS`);
    const found = ports.fakeS3
      .keys(prefix)
      .filter((key) => /\/(plan\.json|manifest\.json|samples\/.*)$/.test(key))
      .map((key) => `${sha256Of(ports.fakeS3.objects.get(key))}  ${key.slice(prefix.length)}`);
    const sums = ports.fakeS3.objects.get(`${prefix}SHA256SUMS`) ?? "";
    expect(sums.trimEnd().split("\n")).toEqual(found);
  });

  it("leaves every function with the environment that it had", () => {
    const { ports } = whole;
    for (const { environment: found } of ports.fakeLambda.functions.values()) {
      expect(found).toEqual(environment);
    }
  });

  it("cleans up what an earlier, stopped run left on functions that it does not measure", async () => {
    const ports = portsFor(twoSizes);
    const names = [...ports.fakeLambda.functions.keys()];
    for (const name of names) {
      const left = ports.fakeLambda.functions.get(name);
      if (left !== undefined) left.environment = { ...environment, KELVIN_NONCE: "left" };
    }
    await execute(twoSizes, ports, oneTrial);
    const nonces = [...ports.fakeLambda.functions.values()].map((each) => each.environment);
    expect(nonces).toEqual(names.map(() => environment));
  });

  it("of one cell works: a block of one trial is still a list", async () => {
    const { end, ports } = await run(oneTrial);
    expect(end.status).toBe("SUCCEEDED");
    expect(file<Plan>(ports, "plan.json").cells.map((cell) => cell.id)).toEqual([
      "python-arm64-512",
    ]);
  });
});

it("the state of the largest run stays far below 256 KiB", async () => {
  const machine = definitionOf(synthTemplate({ architectures: "arm64,x86_64" }));
  const ports = portsFor(machine);
  const planned = failing("seed", "planned is enough");
  const standard = await execute(machine, ports, {}, planned);
  expect(standard.largestBytes).toBeLessThan(16 * 1024);
  const largest = await execute(machine, ports, { cold: 1000, warm: 0 }, planned);
  expect(largest.largestBytes).toBeLessThan(200 * 1024);
});
