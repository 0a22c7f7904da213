import { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, it } from "vitest";
import type { Manifest, Plan, Sample } from "../../lib/contract/types/contract.ts";
import { openFunctionsForAws } from "../../lib/functions/functions-for-aws.ts";
import { plannedSamples } from "../../lib/plan/expand.ts";
import { type AslMachine, definitionOf } from "../support/asl-definition.ts";
import type { Execution } from "../support/asl-interpreter.ts";
import type { FakeAws } from "../support/fake-aws/driver-ports.ts";
import type { FakeCall } from "../support/fake-aws/fake-lambda.ts";
import { functionsFolder } from "../support/functions-file.ts";
import { execute, file, invocations, portsFor, stored } from "../support/state-machine.ts";
import { synthStack } from "../support/synth.ts";

const files = functionsFolder();

async function machineOf(context: Readonly<Record<string, string>> = {}): Promise<AslMachine> {
  const functions = await openFunctionsForAws(files.write());
  return definitionOf(Template.fromStack(synthStack(context, false, functions)));
}

const sizes = { cold: 2, warm: 12, memoryMb: 128 };
/** What the file expects, but at one call. */
const wrong = ({ name, boot, invocation }: FakeCall) =>
  name.includes("head") && boot > 0 && invocation === 5;

describe("a run of a user's own functions, started as any other", () => {
  let machine: AslMachine;
  let ports: FakeAws;
  let end: Execution;
  let plan: Plan;
  let samples: readonly Sample[];
  beforeAll(async () => {
    machine = await machineOf();
    ports = portsFor(machine, {
      onInvoke: (call, answer) => ({
        ...answer,
        payload: { statusCode: wrong(call) ? 500 : 200, body: "not for a sample" },
      }),
    });
    end = await execute(machine, ports, sizes);
    plan = file<Plan>(ports, "plan.json");
    samples = stored<Sample>(ports, "samples");
  });

  it("measures every copy with the file's events, and invokes nothing else", () => {
    expect(end.end).toMatchObject({ status: "SUCCEEDED" });
    expect(plan).toMatchObject({ experiment: "functions", ownResults: true, withoutTable: true });
    expect(plan.requests).toMatchObject({
      get: { event: { id: 1 } },
      put: { event: "{% $run %}" },
    });
    expect(new Set(samples.map(({ cell }) => cell.id))).toEqual(
      new Set(["base-arm64-128", "base-arm64-128-replica", "head-arm64-128"]),
    );
    expect(new Set(samples.map(({ operation }) => operation))).toEqual(new Set(["get", "put"]));
    expect(samples).toHaveLength(plannedSamples(plan));
    // Each of three functions was called once with each of two events before.
    expect(invocations(ports)).toHaveLength(3 * 2 + plannedSamples(plan));
  });

  it("keeps a call with another answer, counts it in nothing, and stores no answer", () => {
    const counted = samples.filter(({ rejected }) => rejected?.reason === "result-wrong");
    expect(counted.length).toBeGreaterThan(0);
    for (const { rejected, cell } of counted) {
      expect(cell.variant).toBe("head");
      expect(rejected?.detail).toContain("statusCode");
    }
    expect(samples.some(({ result }) => result !== undefined)).toBe(false);
    const text = ports.fakeS3.keys("runs/").map((key) => ports.fakeS3.objects.get(key) ?? "");
    expect(text.some((each) => each.includes("not for a sample"))).toBe(false);
  });

  it("reports them by name, against the first one", () => {
    const manifest = file<Manifest>(ports, "manifest.json");
    expect(manifest.status).toBe("complete");
    const { comparisons } = file<{ readonly comparisons: { readonly baseline?: string } }>(
      ports,
      "summary.json",
    );
    expect(JSON.stringify(comparisons)).toContain("head");
    const [report = ""] = ports.fakeS3.keys("runs/").filter((key) => key.endsWith("/report.md"));
    const text = ports.fakeS3.objects.get(report) ?? "";
    expect(text).toContain("Functions: base, head");
  });

  it("says what its estimate assumes, and has what it costs if every call takes until its timeout", () => {
    expect(plan.warnings.join()).toContain("nothing is known of these functions");
    expect(plan.estimate?.costAtTimeoutUsd).toBeGreaterThan(3 * (plan.estimate?.costUsd ?? 0));
  });
});

it("a run of functions and experiments reports the functions first, each in its own folder", async () => {
  const machine = await machineOf({ experiments: "compute", variants: "python", memory: "128" });
  const answers = { functions: { statusCode: 200 } };
  const ports = portsFor(machine, {
    onInvoke: (call, answer) =>
      call.name.startsWith("functions") ? { ...answer, payload: answers.functions } : answer,
  });
  const { end } = await execute(machine, ports, { ...sizes, cold: 1, warm: 0 });
  expect(end).toMatchObject({ status: "SUCCEEDED" });
  const folders = ports.fakeS3
    .keys("runs/")
    .flatMap((key) => /^runs\/[^/]+\/([^/]+)\/manifest\.json$/.exec(key)?.[1] ?? []);
  expect(folders.sort()).toEqual(["compute", "functions"]);
});
