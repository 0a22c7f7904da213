import { describe, expect, it } from "vitest";
import type { CellFailure, Manifest, Sample } from "../../lib/contract/types/contract.ts";
import { jsonError } from "../support/fake-aws/http.ts";
import {
  deployedEnvironment as environment,
  failing,
  file,
  invocations,
  stored,
} from "../support/state-machine.ts";
import { coldOnly, oneTrial, run } from "../support/two-sizes-run.ts";

const pythons = { ...coldOnly, variants: ["python"] };

describe("a cell that fails", () => {
  const isFailing = (name: string) => name.startsWith("dynamodbpythonarm64128");

  it("in Init is recorded with the function's error, and the other cells finish", async () => {
    const payload = { errorType: "Runtime.ExitError", errorMessage: "exit status 1" };
    const { end, ports } = await run(coldOnly, {
      onInvoke: ({ name }, answer) =>
        isFailing(name) ? { ...answer, payload, functionError: "Unhandled" } : answer,
    });
    expect(end.status).toBe("SUCCEEDED");
    const failures = stored<CellFailure>(ports, "failures");
    expect(failures).toHaveLength(2);
    expect(failures[0]).toMatchObject({ cellId: "python-arm64-128", type: "Runtime.ExitError" });
    const manifest = file<Manifest>(ports, "manifest.json");
    expect(manifest).toMatchObject({ status: "partial", cellFailures: failures });
    expect(manifest.counts.rejected).toMatchObject({ error: 2 });
    const others = stored<Sample>(ports, "samples").filter((sample) => sample.error === undefined);
    expect(new Set(others.map((sample) => sample.cell.id)).size).toBe(6);
  });

  it("because its driver crashed is recorded with the crash, and the other cells finish", async () => {
    const { end, ports } = await run(coldOnly, {
      onDriver: (handler, { cellId, block }) => {
        if (handler !== "DrivermeasureFunction" || cellId !== "rust-arm64-512" || block !== 1)
          return;
        throw Object.assign(new Error("signal: killed"), { name: "Runtime.ExitError" });
      },
    });
    expect(end.status).toBe("SUCCEEDED");
    expect(stored<CellFailure>(ports, "failures")).toEqual([
      {
        cellId: "rust-arm64-512",
        block: 1,
        type: "Runtime.ExitError",
        message: "driver: signal: killed",
      },
    ]);
    const manifest = file<Manifest>(ports, "manifest.json");
    expect(manifest.counts.planned - manifest.counts.recorded).toBe(2);
  });

  /** Calls one driver of the run, the first so many times with this error. */
  async function refusedDriver(name: string, times: number) {
    let calls = 0;
    const { ports } = await run(
      { ...coldOnly, variants: ["rust"], memoryMb: 512 },
      {
        onDriver: (handler, { cellId, block }) => {
          if (handler !== "DrivermeasureFunction" || cellId !== "rust-arm64-512" || block !== 0)
            return;
          calls += 1;
          if (calls <= times) throw Object.assign(new Error("Rate exceeded"), { name });
        },
      },
    );
    const { planned, recorded } = file<Manifest>(ports, "manifest.json").counts;
    const missing = planned - recorded;
    return { calls, missing, failures: stored<CellFailure>(ports, "failures") };
  }

  it("because its driver may have been started is not made again", async () => {
    const { calls, failures } = await refusedDriver("Lambda.ServiceException", 1);
    expect(calls).toBe(1);
    expect(failures).toHaveLength(1);
  });

  it("because its driver was throttled is made when the driver can be started", async () => {
    expect(await refusedDriver("Lambda.TooManyRequestsException", 3)).toEqual({
      ...{ calls: 4, missing: 0, failures: [] },
    });
  });

  it("because its driver was throttled for two minutes is recorded as that", async () => {
    const { calls, failures } = await refusedDriver("Lambda.TooManyRequestsException", 100);
    expect(calls).toBe(1 + 6);
    expect(failures).toMatchObject([{ type: "Lambda.TooManyRequestsException", block: 0 }]);
  });

  it("because its update fails is recorded, and measured again in the next block", async () => {
    const refusal = jsonError(400, "InvalidParameterValueException", "no");
    const { ports } = await run(pythons, {
      onUpdate: (name, count) => (isFailing(name) && count === 1 ? refusal : undefined),
    });
    const failures = stored<CellFailure>(ports, "failures");
    expect(failures.map(({ block, type }) => [block, type])).toEqual([
      [0, "InvalidParameterValueException"],
    ]);
    const samples = stored<Sample>(ports, "samples");
    expect(samples.some(({ cell, block }) => cell.memoryMb === 128 && block === 1)).toBe(true);
  });
});

describe("a run that cannot go on", () => {
  it("restores the functions, reports what was measured, and fails with the cause", async () => {
    const { end, ports } = await run(pythons, {
      onDriver: (handler, { block }) => {
        const isSecondBlock = block === 1;
        if (isSecondBlock && handler !== "DriverrestoreFunction") throw new Error("no storage");
      },
    });
    expect(end).toMatchObject({
      status: "FAILED",
      error: "Error",
      cause: expect.stringMatching(
        /no storage; \d+ of \d+ planned samples count; what was measured: s3:/,
      ),
    });
    for (const { environment: found } of ports.fakeLambda.functions.values()) {
      expect(found).toEqual(environment);
    }
    expect(file<Manifest>(ports, "manifest.json").status).toBe("partial");
  });

  it("because the table cannot be seeded has invoked nothing", async () => {
    const { end, ports } = await run(oneTrial, { onDriver: failing("seed", "no such table") });
    const cause = expect.stringContaining("no such table");
    expect(end).toMatchObject({ status: "FAILED", error: "Error", cause });
    expect(invocations(ports)).toEqual([]);
  });

  it("because the functions are not restored says so after the report is written", async () => {
    const { end, ports } = await run(oneTrial, { onDriver: failing("restore", "not restored") });
    expect(end).toHaveProperty(
      "cause",
      expect.stringMatching(/not restored; \d+ of \d+ planned samples count; what was measured/),
    );
    const { warnings, endedEarly } = file<Manifest>(ports, "manifest.json");
    expect(warnings).toContain("A state of the run failed: Error: not restored");
    expect(endedEarly).toBe("A state of the run failed: Error: not restored");
  });

  it("because the functions are not restored was not stopped: all of it was measured", async () => {
    const error = Object.assign(new Error("1 functions were not restored: a"), {
      name: "NotRestored",
    });
    const { ports } = await run(oneTrial, { onDriver: failing("restore", error) });
    const { endedEarly, counts } = file<Manifest>(ports, "manifest.json");
    expect(endedEarly).toBe(
      "The measuring came to its end, but not every function was restored: NotRestored: 1 functions were not restored: a",
    );
    expect(counts.recorded).toBe(counts.planned);
  });

  it("because the report fails has its samples in S3 and the functions restored", async () => {
    const { end, ports } = await run(oneTrial, { onDriver: failing("report", "no memory") });
    expect(end).toEqual({
      status: "FAILED",
      error: "Error",
      cause: "dynamodb: no memory; 0 of 0 planned samples count",
    });
    expect(stored<Sample>(ports, "samples")).not.toHaveLength(0);
  });
});
