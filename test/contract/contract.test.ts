import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contractFolders, contractTypes, typesPath } from "../../lib/contract/generate-types.ts";
import { contractProblem, validated } from "../../lib/contract/validate.ts";
import { smallPlan } from "../support/small-plan.ts";

const contract = join(import.meta.dirname, "..", "..", "lib", "contract");
const read = (path: string) => JSON.parse(readFileSync(join(contract, path), "utf8"));

interface EventCase {
  readonly name: string;
  readonly event: unknown;
  readonly parsed?: object;
}

interface OperationCase {
  readonly name: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly resultKeys?: readonly string[];
}

const caseFiles = readdirSync(join(contract, "cases")).map((file) => `cases/${file}`);
const casesIn = (ending: string) =>
  caseFiles.filter((file) => file.endsWith(ending)).flatMap((file) => read(file).cases);
const eventCases: readonly EventCase[] = casesIn("-events.json");
const operationCases: readonly OperationCase[] = casesIn("-operations.json");
/** The schema is of all experiments' functions: what only another one does is an event to it. */
const isAnothers = ({ name }: EventCase) => name === "an operation of another experiment";
const plainCases = eventCases.filter(
  (given) => !Object.hasOwn(Object(given.event), "queryStringParameters") && !isAnothers(given),
);

const values: Readonly<Record<string, unknown>> = {
  operation: "get",
  runtime: "rust",
  runtimeVersion: "1.95.0",
  variant: "rust",
  durationMs: 1.5,
  sdkCallMs: 1.25,
  initToFirstEventMs: 12.5,
  itemsCount: 1,
  retriedItems: 0,
  value: 55,
  processed: 20,
  mode: "parallel",
  workers: 2,
  threadsUsed: 2,
  detectedCpus: 2,
  avgMsPerItem: 41.5,
  memoryUsedKb: 3000,
  concurrency: 10,
  poolSize: 50,
  bootId: "0123456789abcdef",
  coldStart: true,
  invocation: 0,
};

const connection = { dnsMs: 0.1, tcpMs: 0.2, tlsMs: 700.5 };

const build = {
  profile: "release",
  cryptoProvider: "aws-lc",
  entropy: "cpu-jitter",
  trustStore: "native",
  binaryBytes: 14_200_000,
};

const sample = {
  runId: "20260102T0304Z-a1b2c3",
  experiment: "first-request",
  target: "local",
  cell: {
    id: "ring-x86-64-128",
    variant: "ring",
    runtime: "provided.al2023",
    architecture: "x86_64",
    memoryMb: 128,
  },
  operation: "get",
  phase: "cold",
  block: 0,
  sequence: 0,
  startedAt: "2026-01-02T03:04:05.000Z",
};

describe("the contract", () => {
  it.each(contractFolders)("has the types that its schemas generate: %s", async (folder) => {
    expect(readFileSync(typesPath(folder), "utf8")).toBe(await contractTypes(folder));
  });

  it.each(plainCases)("judges the shared event case as the functions do: $name", (given) => {
    const problem = contractProblem("event", given.event);
    expect(problem === undefined).toBe(given.parsed !== undefined);
  });

  it.each(operationCases.filter((given) => given.resultKeys !== undefined))(
    "takes the result of the shared operation case: $name",
    ({ resultKeys = [], result }) => {
      const whole = Object.fromEntries(resultKeys.map((key) => [key, values[key]]));
      expect(contractProblem("result", { ...whole, ...result })).toBeUndefined();
    },
  );

  it.each(["operation", "bootId", "durationMs", "sdkCallMs", "itemsCount", "invocation"])(
    "takes no result without %s",
    (key) => {
      const { [key]: _, ...rest } = values;
      expect(contractProblem("result", rest)?.message).toContain(`${key}: found nothing`);
    },
  );

  it.each(["fibonacci", "vector", "sha256_chain", "batch_write_get"])(
    "takes no result of %s without the value",
    (operation) => {
      const { value: _, ...rest } = values;
      expect(contractProblem("result", { ...rest, operation })?.message).toContain("value: found");
    },
  );

  it.each(["value", "processed", "mode", "workers", "threadsUsed"])(
    "takes no result of hash without %s",
    (key) => {
      const { [key]: _, ...rest } = values;
      const problem = contractProblem("result", { ...rest, operation: "hash" });
      expect(problem?.message).toContain(`${key}: found nothing`);
    },
  );

  it.each(["sdkCallMs", "itemsCount", "concurrency"])(
    "takes no result of fanout without %s",
    (key) => {
      const { [key]: _, ...rest } = values;
      const problem = contractProblem("result", { ...rest, operation: "fanout" });
      expect(problem?.message).toContain(`${key}: found nothing`);
    },
  );

  it("takes no result with zero items: finding nothing is an error", () => {
    expect(contractProblem("result", { ...values, itemsCount: 0 })).toBeDefined();
  });

  it("takes what a function says of its connections, its warm-up and its build", () => {
    const connections = [connection, { ...connection, tlsMs: 6.3 }];
    const warmup = { warmupMs: 12.5, warmupError: "TimedOut" };
    expect(contractProblem("result", { ...values, connections, ...warmup, build })).toBeUndefined();
  });

  it.each([
    ["one connection: the second tells the first apart", { connections: [connection] }],
    ["an entropy that is neither", { build: { ...build, entropy: "none" } }],
    ["a build without its size", { build: { ...build, binaryBytes: undefined } }],
    ["a warm-up that took less than no time", { warmupMs: -1 }],
  ])("takes no result with %s", (_, field) => {
    expect(contractProblem("result", { ...values, ...field })).toBeDefined();
  });

  it("takes a sample's CPU time and instruction counts, of Init only where it was cold", () => {
    const warm = { cpu: { invocationCpuMs: 0.6 }, instructions: { invocation: 592_000 } };
    expect(contractProblem("sample", { ...sample, ...warm })).toBeUndefined();
    const cold = {
      cpu: { initCpuMs: 4.5, invocationCpuMs: 58 },
      instructions: { init: 12_050_000, invocation: 423_400_000 },
      rejected: { reason: "instrumented" },
    };
    expect(contractProblem("sample", { ...sample, ...cold })).toBeUndefined();
    expect(contractProblem("sample", { ...sample, cpu: { initCpuMs: 4.5 } })?.message).toContain(
      "sample.cpu.invocationCpuMs: found nothing",
    );
  });

  it.each([
    [{ telemetry: { durationMs: 1e299 } }, "sample.telemetry.durationMs: found 1e+299"],
    [{ telemetry: { durationMs: 1, initDurationMs: 1e10 } }, "sample.telemetry.initDurationMs"],
    [{ telemetry: { durationMs: 1, maxMemoryUsedMb: 1e9 } }, "sample.telemetry.maxMemoryUsedMb"],
    [{ clientLatencyMs: 1e300 }, "sample.clientLatencyMs: found 1e+300"],
    [{ cpu: { invocationCpuMs: Infinity } }, "sample.cpu.invocationCpuMs: found Infinity"],
    [{ instructions: { invocation: 1e16 } }, "sample.instructions.invocation"],
    [{ cell: { ...sample.cell, memoryMb: 1e8 } }, "sample.cell.memoryMb"],
  ])("takes no sample with a number that nothing measures: %j", (field, message) => {
    expect(contractProblem("sample", { ...sample, ...field })?.message).toContain(message);
  });

  it.each(["durationMs", "sdkCallMs", "avgMsPerItem", "memoryUsedKb"])(
    "takes no result with %s beyond all bounds",
    (field) => {
      const problem = contractProblem("result", { ...values, [field]: 1e299 });
      expect(problem?.message).toContain(`result.${field}: found 1e+299; allowed: must be <=`);
    },
  );

  it("names the number of items where there are too many, and none of them", () => {
    const cells = Array.from({ length: 3000 }, () => sample.cell);
    expect(contractProblem("plan", { ...smallPlan(), cells })?.message).toBe(
      'plan.cells: found "3000 items"; allowed: at most 300',
    );
  });

  it("names the field, what was found and what is allowed", () => {
    expect(() => validated("result", { ...values, runtime: "java" })).toThrow(
      'result.runtime: found "java"; allowed: rust, python',
    );
    expect(() => validated("event", { operation: "get", table: "x" })).toThrow(
      'event.table: found "x"; allowed: no such field; known: operation, pk, sk, itemCount, n, count, rounds, mode, concurrency, poolSize',
    );
  });
});
