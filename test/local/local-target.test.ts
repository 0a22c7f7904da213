import { afterEach, describe, expect, it, vi } from "vitest";
import { findCgroupRoot } from "../../lib/local/cgroup.ts";
import { LocalTarget } from "../../lib/local/local-target.ts";
import { scriptedCell, scriptedCommand } from "./functions/scripted-command.ts";

const cell = scriptedCell;
const event = { operation: "get" };
let target: LocalTarget | undefined;

/** @param before faults of the first environments. */
function targetWith(
  fault: string,
  timeoutSeconds = 5,
  before: readonly string[] = [],
  initTimeoutMs = 10_000,
): LocalTarget {
  const cgroupRoot = findCgroupRoot();
  const faults = [...before];
  target = new LocalTarget({
    timeoutSeconds,
    initTimeoutMs,
    ...(cgroupRoot !== undefined && { cgroupRoot }),
    command: (of, runtimeApi) => scriptedCommand(faults.shift() ?? fault)(of, runtimeApi),
  });
  return target;
}

afterEach(async () => await target?.close());

describe("the local target", () => {
  it("reports Init on the first invocation of an environment and on no later one", async () => {
    const local = targetWith("none");
    const first = await local.invoke(cell, event);
    const second = await local.invoke(cell, event);
    expect(first.telemetry?.initDurationMs).toBeGreaterThan(0);
    expect(second.telemetry).toBeDefined();
    expect(second.telemetry).not.toHaveProperty("initDurationMs");
    expect(second.payload).toMatchObject({ invocation: 1 });
    expect(first.telemetry?.memorySizeMb).toBe(256);
  });

  it("bills the ceiling of Init and Duration together", async () => {
    const { telemetry } = await targetWith("none").invoke(cell, event);
    const {
      initDurationMs = Number.NaN,
      durationMs = Number.NaN,
      billedDurationMs,
    } = telemetry ?? {};
    expect(billedDurationMs).toBe(Math.ceil(Number((initDurationMs + durationMs).toFixed(2))));
  });

  it("starts a new environment after forceCold", async () => {
    const local = targetWith("none");
    const before = await local.invoke(cell, event);
    await local.forceCold(cell);
    const after = await local.invoke(cell, event);
    expect(after.telemetry?.initDurationMs).toBeGreaterThan(0);
    const bootId = (payload: unknown) => (payload as { bootId: string }).bootId;
    expect(bootId(after.payload)).not.toBe(bootId(before.payload));
  });

  it("hands over the function's own error by its type and message", async () => {
    const { error, payload } = await targetWith("error").invoke(cell, event);
    expect(error).toEqual({ type: "ItemNotFound", message: 'pk "seed"' });
    expect(payload).toBeUndefined();
  });

  it("takes no figure from an error's name", async () => {
    const { telemetry, error } = await targetWith("reporting-error").invoke(cell, event);
    expect(error?.type).toContain("Duration: 0.01 ms");
    expect(telemetry?.errorType).toBe(error?.type);
    const { initDurationMs = Number.NaN, durationMs = Number.NaN } = telemetry ?? {};
    expect(telemetry?.billedDurationMs).toBe(
      Math.ceil(Number((initDurationMs + durationMs).toFixed(2))),
    );
  });

  it("runs a failed Init again inside the invocation and then gives its error", async () => {
    const { error, telemetry } = await targetWith("crash-in-init").invoke(cell, event);
    expect(error).toEqual({
      type: "Runtime.ExitError",
      message: "Runtime exited with error: exit status 3",
    });
    expect(telemetry).toMatchObject({ status: "error", errorType: "Runtime.ExitError" });
    expect(telemetry).not.toHaveProperty("initDurationMs");
  });

  it("says of an invocation that ran Init again how Init had failed, and counts both in the wait", async () => {
    for (const [fault, status] of [
      ["init-error", "error"],
      ["hang-in-init", "timeout"],
    ] as const) {
      const local = targetWith("none", 5, [fault], 500);
      const {
        failedInits,
        telemetry,
        clientLatencyMs = 0,
        error,
      } = await local.invoke(cell, event);
      expect(error).toBeUndefined();
      const [init, ...others] = failedInits ?? [];
      expect([init?.status, others]).toEqual([status, []]);
      const { durationMs = 0 } = init ?? {};
      expect(clientLatencyMs).toBeGreaterThan(durationMs + (telemetry?.durationMs ?? 0) - 1);
      expect(await local.invoke(cell, event)).not.toHaveProperty("failedInits");
      await local.close();
    }
  });

  it("takes the error that the runtime reports of its Init", async () => {
    const { error } = await targetWith("init-error").invoke(cell, event);
    expect(error).toEqual({ type: "MissingTable", message: "TABLE_NAME: found nothing" });
  });

  it("ends an invocation at the function's timeout and says so", async () => {
    const local = targetWith("timeout", 1);
    await local.invoke(cell, event);
    const { error, telemetry } = await local.invoke(cell, event);
    expect(error?.type).toBe("Sandbox.Timedout");
    expect(error?.message).toContain("Task timed out after 1.00 seconds");
    expect(telemetry).toMatchObject({ durationMs: 1000, status: "timeout" });
  });

  it("gives the next invocation a new environment when the process died", async () => {
    const local = targetWith("crash");
    await local.invoke(cell, event);
    const died = await local.invoke(cell, event);
    const after = await local.invoke(cell, event);
    expect(died.error?.message).toBe("Runtime exited with error: exit status 7");
    expect(after.telemetry?.initDurationMs).toBeGreaterThan(0);
  });

  it("returns what is no JSON as the text it is", async () => {
    const { payload, error } = await targetWith("garbage").invoke(cell, event);
    expect(payload).toBe("this is no JSON");
    expect(error).toBeUndefined();
  });

  it("refuses a response that is larger than Lambda takes", async () => {
    const { error, payload } = await targetWith("large").invoke(cell, event);
    expect(error?.type).toBe("Function.ResponseSizeTooLarge");
    expect(payload).toBeUndefined();
  });

  it("measures a function that floods its log with lines that look like telemetry", async () => {
    const { telemetry, payload } = await targetWith("flood").invoke(cell, event);
    expect(telemetry?.durationMs).toBeLessThan(5000);
    expect(payload).toMatchObject({ operation: "get" });
  });

  it("gives the process what Lambda sets and nothing of the caller's environment", async () => {
    vi.stubEnv("KELVIN_CALLER_SECRET", "secret");
    const { payload } = await targetWith("environment").invoke(cell, event);
    const { environment } = payload as { environment: Record<string, string> };
    expect(Object.keys(environment).sort()).toEqual(
      [
        "AWS_ACCESS_KEY",
        "AWS_ACCESS_KEY_ID",
        "AWS_DEFAULT_REGION",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
        "AWS_LAMBDA_FUNCTION_NAME",
        "AWS_LAMBDA_FUNCTION_VERSION",
        "AWS_LAMBDA_INITIALIZATION_TYPE",
        "AWS_LAMBDA_LOG_GROUP_NAME",
        "AWS_LAMBDA_LOG_STREAM_NAME",
        "AWS_LAMBDA_RUNTIME_API",
        "AWS_REGION",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "AWS_XRAY_CONTEXT_MISSING",
        "AWS_XRAY_DAEMON_ADDRESS",
        "FAULT",
        "LAMBDA_RUNTIME_DIR",
        "LAMBDA_TASK_ROOT",
        "LANG",
        "PATH",
        "TZ",
        "_HANDLER",
      ].sort(),
    );
  });

  it("ends every process when it is closed", async () => {
    const local = targetWith("none");
    const { payload } = await local.invoke(cell, event);
    const pid = Number((payload as { bootId: string }).bootId.split("-")[1]);
    await local.close();
    expect(() => process.kill(pid, 0)).toThrow();
  });

  it.runIf(findCgroupRoot() !== undefined)(
    "holds the function to memoryMb/1769 of a CPU",
    async () => {
      const share = async (memoryMb: number) => {
        const local = targetWith("work");
        const { payload } = await local.invoke({ ...cell, memoryMb }, event);
        await local.close();
        return (payload as { cpuShare: number }).cpuShare;
      };
      // Beside others a function gets less than its share, and never more.
      const largest = async (memoryMb: number) =>
        Math.max(await share(memoryMb), await share(memoryMb), await share(memoryMb));
      const tenth = await share(177);
      expect(tenth).toBeGreaterThan(0);
      expect(tenth).toBeLessThan(0.15);
      const half = await largest(885);
      expect(half).toBeLessThan(0.6);
      expect(half).toBeGreaterThan(tenth);
    },
  );
});

describe.runIf(process.platform === "linux")("another process on this machine", () => {
  it("gets no event and answers none: the function's own answer is what counts", async () => {
    let address = "";
    const scripted = scriptedCommand("none");
    target = new LocalTarget({
      timeoutSeconds: 5,
      command: (of, runtimeApi) => {
        address = runtimeApi;
        return scripted(of, runtimeApi);
      },
    });
    await target.invoke(cell, event);
    // This process holds the other end: the same user's, and no process of the function.
    const next = await fetch(`http://${address}/2018-06-01/runtime/invocation/next`);
    expect(next.status).toBe(403);
    const second = await target.invoke(cell, event);
    expect(second.payload).toMatchObject({ invocation: 1 });
    expect(target.refusedConnections).toBe(1);
  });
});
