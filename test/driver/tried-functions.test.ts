import { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, it } from "vitest";
import type { Manifest, Sample } from "../../lib/contract/types/contract.ts";
import { openFunctionsForAws } from "../../lib/functions/functions-for-aws.ts";
import { type AslMachine, definitionOf } from "../support/asl-definition.ts";
import type { FakeCall } from "../support/fake-aws/fake-lambda.ts";
import { functionsFolder } from "../support/functions-file.ts";
import { execute, file, invocations, portsFor, stored } from "../support/state-machine.ts";
import { synthStack } from "../support/synth.ts";

const files = functionsFolder();

let machine: AslMachine;
beforeAll(async () => {
  const functions = await openFunctionsForAws(files.write());
  machine = definitionOf(Template.fromStack(synthStack({}, false, functions)));
});

const sizes = { cold: 2, warm: 12, memoryMb: 128 };
const raised = { errorType: "KeyError", errorMessage: "'id'" };
const isOf = (name: string) => (call: FakeCall) => call.name.includes(name);

/** A run in which the calls that a test names raise, and all others answer as is expected. */
async function runWhere(isRaised: (call: FakeCall) => boolean, input: object = sizes) {
  const ports = portsFor(machine, {
    onInvoke: (call, answer) =>
      isRaised(call)
        ? { ...answer, payload: raised, functionError: "Unhandled" }
        : { ...answer, payload: { statusCode: 200 } },
  });
  const { end, history } = await execute(machine, ports, input);
  const report = ports.fakeS3.keys("runs/").find((key) => key.endsWith("/report.md")) ?? "";
  return { end, history, ports, report: ports.fakeS3.objects.get(report) ?? "" };
}

describe("a run in which every call raises", () => {
  it("fails before its first block, with the function's own error in its output and its report", async () => {
    const { end, history, ports, report } = await runWhere(() => true);
    expect(end).toMatchObject({ status: "FAILED", error: "FunctionFails" });
    const message = "base called with the event get at 128 MB failed: KeyError: 'id'";
    expect(end).toHaveProperty("cause", expect.stringContaining(message));
    expect(end).toHaveProperty("cause", expect.stringContaining("0 of 84 planned samples count"));
    expect(report.replaceAll(/\s+/g, " ")).toContain("KeyError: 'id'");
    expect(history).not.toContain("Measure");
    // The first event of each function raised, and no other was sent.
    expect(invocations(ports)).toHaveLength(3);
    expect(stored<Sample>(ports, "samples")).toEqual([]);
    const { status, warnings } = file<Manifest>(ports, "manifest.json");
    expect(status).toBe("partial");
    expect(warnings.join()).toContain(`A state of the run failed: FunctionFails: ${message}`);
  });

  it("of one of the functions fails too: there is nothing to compare it with", async () => {
    const { end, history } = await runWhere(isOf("head"));
    expect(end).toMatchObject({ status: "FAILED", error: "FunctionFails" });
    expect(end).toHaveProperty("cause", expect.stringContaining("head called with"));
    expect(end).not.toHaveProperty("cause", expect.stringContaining("base called with"));
    expect(history).not.toContain("Measure");
  });
});

describe("a call before the first block", () => {
  it("is made once of each function with each event, and none of them is a sample", async () => {
    const { end, ports } = await runWhere(() => false);
    expect(end.status).toBe("SUCCEEDED");
    const requests = [...ports.fakeLambda.requests];
    const first = requests.findIndex((request) => request.startsWith("Update"));
    const tried = requests.slice(0, first).filter((request) => request.startsWith("Invoke"));
    expect(tried).toHaveLength(3 * 2);
    expect(new Set(tried).size).toBe(3);
    expect(stored<Sample>(ports, "samples")).toHaveLength(84);
  });

  it("that raises at some of a function's sizes ends nothing: those samples tell of it", async () => {
    const { end, ports } = await runWhere(
      ({ name }) => /base\w*128/.test(name) && !name.includes("replica"),
      { cold: 1, warm: 0 },
    );
    expect(end.status).toBe("SUCCEEDED");
    const output = (end as { readonly output: object }).output;
    expect(output).toMatchObject({
      status: "partial",
      firstError: "base-arm64-128: KeyError: the cold invocation failed: 'id'",
      counts: { rejected: { error: 1 } },
    });
    expect(stored<Sample>(ports, "samples").some(({ rejected }) => rejected === undefined)).toBe(
      true,
    );
  });
});

it("a run of whose first block nothing counts stops after it, with the reasons and the first error", async () => {
  const { end, history, ports } = await runWhere(({ boot }) => boot > 0);
  expect(end).toMatchObject({ status: "FAILED", error: "NothingCounts" });
  expect(end).toHaveProperty(
    "cause",
    expect.stringMatching(
      /^functions: after the first block none of its samples counts \(3 error\): \S+: KeyError: the cold invocation failed: 'id'; 0 of 84 /,
    ),
  );
  expect(history.filter((state) => state === "Measure block")).toHaveLength(1);
  expect(history).toContain("Restore");
  expect(new Set(stored<Sample>(ports, "samples").map(({ block }) => block))).toEqual(new Set([0]));
});
