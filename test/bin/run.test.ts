import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Template } from "aws-cdk-lib/assertions";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type RunFate, run } from "../../bin/commands/run.ts";
import { exitCodes } from "../../bin/exit-codes.ts";
import { kelvinProgram } from "../../bin/program.ts";
import { outcomeText } from "../../bin/run/plan-text.ts";
import { consoleInput } from "../../bin/run/run-input.ts";
import type { Manifest } from "../../lib/contract/types/contract.ts";
import { openFunctionsForAws } from "../../lib/functions/functions-for-aws.ts";
import { definitionOf } from "../support/asl-definition.ts";
import { capturedOutput } from "../support/captured-output.ts";
import {
  type FakeAccount,
  fakeAccount,
  stateMachineArn,
} from "../support/fake-aws/fake-account.ts";
import { FakeS3 } from "../support/fake-aws/fake-s3.ts";
import { putRun } from "../support/finished-run.ts";
import { functionsFolder } from "../support/functions-file.ts";
import { interrupt } from "../support/signals.ts";
import { smallPlan } from "../support/small-plan.ts";
import { synthStack } from "../support/synth.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const pollMs = { first: 1, most: 1 };
const runId = "20260101T0000Z-abcdef";
let account: FakeAccount;
const folder = folderPerTest();
const output = capturedOutput();

beforeEach(() => {
  account = fakeAccount();
});

/** Leaves in S3 what the state machine does when it has measured, once what is returned is called. */
async function measures(version?: string): Promise<() => void> {
  const made = new FakeS3();
  await putRun(made, folder("made"), smallPlan({ runId, target: "aws" }), version);
  return () => {
    for (const [key, text] of made.objects) account.s3.objects.set(key, text);
  };
}

type End = Parameters<FakeAccount["stepFunctions"]["end"]>[1];

/** At the first look the run has measured, and its execution ends. */
async function endsMeasured(end: End = { status: "SUCCEEDED" }, version?: string): Promise<void> {
  const finish = await measures(version);
  account.stepFunctions.onLook = (arn) => {
    account.takeLock(arn, runId);
    finish();
    account.stepFunctions.end(arn, end);
  };
}

const out = () => folder("out");
const words = () => ({ stack: "Kelvin", out: out() });
const ran = (more: Partial<Parameters<typeof run>[0]> = {}) =>
  run({ ...words(), ...more }, { clients: account.clients, pollMs });
const started = () => [...account.stepFunctions.executions.keys()].at(-1) ?? "";

describe("the end of a run", () => {
  const estimate = {
    ...{ invocations: 0, minutes: 14.2, transitions: 0, costUsd: 0.21 },
    ...{ pricesDate: "2026-01-01", pricesRegion: "us-east-1" },
  };
  const experiment = (costUsd: number) => ({
    plan: { ...smallPlan(), estimate },
    manifest: { costUsd } as Manifest,
  });

  it("states what it took and cost beside the estimate, of all experiments", () => {
    expect(outcomeText([experiment(0.194)], 13 * 60_000)).toBe(
      "the run took 13.0 minutes and cost about $0.19; the estimate was 14.2 minutes and $0.21",
    );
    // The second report has what the run had cost by then.
    expect(outcomeText([experiment(0.2), experiment(0.39)], 1_800_000)).toBe(
      "the run took 30.0 minutes and cost about $0.39; the estimate was 28.4 minutes and $0.42",
    );
  });

  it("states no cost that is not known: of a run that was stopped, or at unknown prices", () => {
    expect(outcomeText([{ plan: { ...smallPlan(), estimate } }], 60_000)).toBe(
      "the run took 1.0 minutes; the estimate was 14.2 minutes and $0.21",
    );
    expect(outcomeText([{ plan: smallPlan() }], 60_000)).toBe("the run took 1.0 minutes");
  });
});

describe("kelvin run", () => {
  it("starts the state machine with {}, follows it, fetches the run and prints its first screen", async () => {
    await endsMeasured({ status: "SUCCEEDED", output: "{}" });
    expect(await ran()).toBe(0);
    expect(account.stepFunctions.inputs).toEqual([{}]);
    expect(started()).toContain("arn:aws:states:us-east-1:123456789012:execution:Conductor:");
    expect(output.stdout).toContain("report.html");
    expect(readFileSync(join(out(), "report.html"), "utf8")).toContain(runId);
    // The fake's state machine has no definition.
    expect(output.stderr).toContain("what the run may cost is not known");
    expect(output.stderr).toContain("the run took 0.0 minutes");
  });

  it("prints the report that the driver wrote, and renders another only if an option asks for one", async () => {
    await endsMeasured();
    await ran();
    const own = output.stdout;
    const key = `runs/${runId}/report.json`;
    const page = JSON.parse(account.s3.objects.get(key) ?? "");
    account.s3.objects.set(key, JSON.stringify({ ...page, headline: "As the driver wrote it" }));
    const shown = async (options: Parameters<typeof ran>[0]) => {
      output.stdout = "";
      expect(await ran({ attach: started(), ...options })).toBe(0);
      return output.stdout;
    };
    expect(await shown({})).toContain("As the driver wrote it\n");
    expect(existsSync(join(out(), "report-full.md"))).toBe(false);
    expect(await shown({ invocations: 1_000_000 })).toBe(own);
  });

  it("renders the report of a driver of another version", async () => {
    await endsMeasured({ status: "SUCCEEDED" }, "0.0.1");
    expect(await ran()).toBe(0);
    expect(existsSync(join(out(), "report-full.md"))).toBe(true);
  });

  it("prints one line of JSON with --json, and progress to stderr alone", async () => {
    await endsMeasured();
    await ran({ json: true });
    expect(JSON.parse(output.stdout)).toMatchObject({ manifest: { runId, status: "complete" } });
  });

  it("is a gate with --fail-on: it ends with 4 where the functions' calls do not count", async () => {
    await endsMeasured();
    expect(await ran({ failOn: "slower" })).toBe(exitCodes.notCompared);
    expect(output.stderr).toContain("CANNOT TELL: Not compared in full: ");
    expect(output.stdout).toContain("report.html");
  });

  it("ends with 2 on input that the state machine refuses, and says why", async () => {
    const cause = "memoryMb: found 3; allowed: one or several of those deployed: 128";
    account.stepFunctions.onLook = (arn) =>
      account.stepFunctions.end(arn, { status: "FAILED", error: "InvalidInput", cause });
    expect(await ran({ memory: [3] })).toBe(2);
    expect(output.stderr).toContain(cause);
  });

  it("ends with 3 where an experiment failed, and reports what was measured", async () => {
    await endsMeasured({ status: "FAILED", error: "Error", cause: "compute: broken" });
    expect(await ran()).toBe(3);
    expect(output.stderr).toContain("the execution ended as FAILED: compute: broken");
    expect(output.stdout).toContain("report.html");
  });

  it("ends with 5 where a run failed before anything was measured", async () => {
    account.stepFunctions.onLook = (arn) => {
      account.takeLock(arn, runId);
      account.s3.objects.set(`runs/${runId}/plan.json`, JSON.stringify(smallPlan({ runId })));
      account.stepFunctions.end(arn, { status: "FAILED", error: "Error", cause: "no table" });
    };
    expect(await ran()).toBe(5);
    expect(output.stdout).toBe("");
  });

  describe("of copies", () => {
    const roleArn = "arn:aws:iam::123456789012:role/orders";
    const files = functionsFolder();
    const permissions = { roleArn };
    /** The stack is one of `kelvin deploy --functions`, and its run ends at the first look. */
    const deployed = async () => {
      const functions = [{ name: "base", artefact: "base.zip", permissions }];
      const opened = await openFunctionsForAws(files.write({ functions }));
      const template = Template.fromStack(synthStack({}, false, opened));
      account.stepFunctions.definition = definitionOf(template);
      const { FunctionRoles } = template.toJSON().Outputs;
      const { outputs = {} } = account.cloudFormation.stacks.get("Kelvin") ?? {};
      const more = { FunctionRoles: FunctionRoles.Value };
      account.cloudFormation.stacks.set("Kelvin", { outputs: { ...outputs, ...more } });
      await endsMeasured();
    };
    const asking = (answer: string | undefined, options: Parameters<typeof ran>[0] = {}) => {
      const questions: string[] = [];
      const askConsent = async (question: string) => {
        questions.push(question);
        return answer;
      };
      const given = { clients: account.clients, pollMs, askConsent };
      return { questions, ending: run({ ...words(), ...options }, given) };
    };

    it("asks before it starts, with how many calls do what as which role", async () => {
      await deployed();
      const { questions, ending } = asking("y", { cold: 2, warm: 8, memory: [512] });
      expect(await ending).toBe(0);
      expect(output.stderr).toMatch(
        /cost +about \$.*\nat most +about \$.* if every call took until its timeout; .*\nleft out .*\nAWS Config .*\nwarning +nothing is known/,
      );
      // Each of two trials has a cold, a second, eight warm calls and perhaps another cold one. Two calls are before them.
      expect(questions).toEqual([
        expect.stringMatching(
          /^up to 24 calls of the plan do what base does, .* in account 123456789012, region us-east-1, as the role arn:aws:iam::123456789012:role\/orders: .*\nStart the run\? \[y\/N\] $/,
        ),
      ]);
    });

    it("starts nothing without a yes, and logs what --yes agrees to", async () => {
      await deployed();
      await expect(asking(undefined).ending).rejects.toThrow(
        "allowed: y at the terminal, or --yes",
      );
      expect(account.stepFunctions.inputs).toEqual([]);
      const { questions, ending } = asking("n", { yes: true, cold: 1 });
      expect([await ending, questions]).toEqual([0, []]);
      expect(output.stderr).toMatch(/^up to \d+ calls of the plan do what base does/m);
      expect(account.stepFunctions.inputs).toEqual([{ cold: 1 }]);
    });
  });

  it("names the run under way instead of starting another", async () => {
    account.stepFunctions.executions.set("arn:aws:states:::execution:Conductor:a", "RUNNING");
    await expect(ran()).rejects.toThrow(
      "AWS_REGION=us-east-1 kelvin run --attach arn:aws:states:::execution:Conductor:a follows this one",
    );
    expect(account.stepFunctions.inputs).toEqual([]);
  });

  it("says what creates the stack where there is none", async () => {
    const sentence =
      "the stack Other in us-east-1: found nothing; allowed: a stack that `kelvin deploy`";
    await expect(ran({ stack: "Other" })).rejects.toThrow(sentence);
    await expect(run({ context: ["-c", "stack=Other"] }, account)).rejects.toThrow(sentence);
  });

  it("waits for a connection that is lost, and for a service that is busy", async () => {
    const finish = await measures();
    let looks = 0;
    account.stepFunctions.onLook = (arn) => {
      looks += 1;
      if (looks < 5) throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
      account.takeLock(arn, runId);
      finish();
      account.stepFunctions.end(arn, { status: "SUCCEEDED" });
    };
    expect(await ran()).toBe(0);
    expect(output.stderr.match(/the connection was lost/g)).toHaveLength(1);
  });
});

describe("kelvin run --attach", () => {
  const arn = stateMachineArn.replace("stateMachine", "execution");

  it("follows the run under way, without starting one", async () => {
    await endsMeasured();
    account.stepFunctions.executions.set(`${arn}:a`, "RUNNING");
    expect(await ran({ attach: true })).toBe(0);
    expect(account.stepFunctions.inputs).toEqual([]);
  });

  it("finds the latest run where none is under way, and says where there is none at all", async () => {
    await expect(ran({ attach: true })).rejects.toThrow(
      "attach: found nothing; allowed: a run: none was started on Kelvin yet",
    );
    (await measures())();
    account.takeLock(`${arn}:a`, runId);
    account.stepFunctions.end(`${arn}:a`, { status: "SUCCEEDED" });
    expect(await ran({ attach: true })).toBe(0);
  });

  it("finds an earlier run by the address in its output", async () => {
    (await measures())();
    const output = `{"files":{"report.md":"s3://results/runs/${runId}/report.md"}}`;
    account.stepFunctions.end(`${arn}:a`, { status: "SUCCEEDED", output });
    expect(await ran({ attach: `${arn}:a` })).toBe(0);
  });

  it("names an execution that is not known", async () => {
    await expect(ran({ attach: `${arn}:b` })).rejects.toThrow(
      "allowed: the ARN of an execution of the stack's runs",
    );
  });
});

describe("Ctrl-C during kelvin run", () => {
  const withAnswers = async (...answers: readonly RunFate[]) => {
    const left = [...answers];
    let looks = 0;
    account.stepFunctions.onLook = (arn) => {
      account.takeLock(arn, runId);
      looks += 1;
      if (left.length > 0) interrupt();
      else if (looks > 20) account.stepFunctions.end(arn, { status: "SUCCEEDED" });
    };
    const ask = async () => left.shift() ?? "leave";
    return await run(words(), { clients: account.clients, pollMs, ask });
  };

  it("leaves the run where that is asked for, and says how to follow it again", async () => {
    expect(await withAnswers("leave")).toBe(130);
    expect(account.stepFunctions.executions.get(started())).toBe("RUNNING");
    expect(output.stderr).toContain(
      `to follow it again: AWS_REGION=us-east-1 kelvin run --attach ${started()}`,
    );
  });

  it("goes on watching, and stops the run where that is asked for, with the report of what was measured", async () => {
    (await measures())();
    account.s3.objects.delete(`runs/${runId}/SHA256SUMS`);
    account.s3.objects.delete(`runs/${runId}/manifest.json`);
    expect(await withAnswers("continue", "stop")).toBe(130);
    expect(account.stepFunctions.executions.get(started())).toBe("ABORTED");
    expect(output.stderr).toContain("stopped: what was measured is kept");
    expect(output.stdout).toContain("report.html");
  });

  it("or a stop in the console waits for calls that had begun, until the functions' timeout at most, and fetches then", async () => {
    (await measures())();
    for (const name of ["SHA256SUMS", "manifest.json"]) {
      account.s3.objects.delete(`runs/${runId}/${name}`);
    }
    account.stepFunctions.onLook = (arn) => {
      account.takeLock(arn, runId);
      // Five seconds until the drivers' look and 30 s of timeout, but for 400 ms.
      const stopDate = (Date.now() - 35_000 + 400) / 1000;
      account.stepFunctions.end(arn, { status: "ABORTED", stopDate });
    };
    const startedMs = performance.now();
    expect(await ran()).toBe(130);
    expect(performance.now() - startedMs).toBeGreaterThan(300);
    expect(output.stderr).toMatch(
      /waiting for \d+ ms, until calls that have begun have ended by the functions' timeout of 30 s; no other call begins\n/,
    );
    expect(output.stdout).toContain("report.html");
  });

  it("asks nobody where there is no terminal: the run is left", async () => {
    account.stepFunctions.onLook = () => interrupt();
    vi.spyOn(process, "stdin", "get").mockReturnValue({ isTTY: false } as never);
    expect(await ran()).toBe(130);
    expect(account.stepFunctions.executions.get(started())).toBe("RUNNING");
  });
});

describe("the options of kelvin run", () => {
  it("become the state machine's input, and nothing is {}", () => {
    expect(consoleInput({})).toEqual({});
    expect(consoleInput({ experiment: ["all"] })).toEqual({});
    const asked = { experiment: ["dynamodb"], memory: [128], maxCost: 1, untilPrecision: "5%" };
    expect(consoleInput({ ...asked, cold: 3 })).toEqual({
      ...{
        experiment: ["dynamodb"],
        memoryMb: [128],
        maxCostUsd: 1,
        untilPrecision: "5%",
        cold: 3,
      },
    });
  });

  it("are not taken beside --attach", async () => {
    vi.spyOn(process, "exit").mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    const parsed = kelvinProgram().parseAsync(["run", "--attach", "--cold", "3"], { from: "user" });
    await expect(parsed).rejects.toThrow("exit 2");
    expect(output.stderr).toContain("cannot be used with option '--cold <n>'");
  });
});
