import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import dynamodbBatchCases from "../../lib/contract/cases/dynamodb-batch-operations.json" with {
  type: "json",
};
import dynamodbEvents from "../../lib/contract/cases/dynamodb-events.json" with { type: "json" };
import { validated } from "../../lib/contract/validate.ts";
import { experimentById, experiments } from "../../lib/experiments/catalogue.ts";
import { tunedBuild } from "../../lib/experiments/variants.ts";

describe.each(experiments)("the experiment $id", (experiment) => {
  const ids = experiment.variants.map((variant) => variant.id);

  it("states its ratios and its replica of variants that it has", () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain(experiment.baselineVariant);
    expect(ids).toContain(experiment.replicaVariant);
  });

  const called = [experiment.coldOperation, ...experiment.warmOperations];
  const eventOf = (name: string) => {
    const { operation = name, parameters } = experiment.requests?.[name] ?? {};
    return { operation, ...parameters };
  };

  it("calls operations that the contract knows, and goes on to what it was cold with", () => {
    for (const name of called) expect(() => validated("event", eventOf(name))).not.toThrow();
    const warm = experiment.warmOperations.map((name) => eventOf(name).operation);
    expect(warm).toContain(eventOf(experiment.coldOperation).operation);
  });

  it("lets no function write to the partition that all of them read", () => {
    const { seed, writes } = experiment.table ?? {};
    for (const prefix of writes?.keyPrefixes ?? []) expect(seed?.pk.startsWith(prefix)).toBe(false);
  });

  it("asks nothing of an operation that it does not call, or of a variant that it does not have", () => {
    for (const [name, request] of Object.entries(experiment.requests ?? {})) {
      expect(called).toContain(name);
      expect(ids).toEqual(expect.arrayContaining([...(request.variants ?? [])]));
    }
  });

  it("has in its quick preset sizes of its own", () => {
    expect(experiment.memoryMb).toEqual(expect.arrayContaining([...experiment.quickMemoryMb]));
  });

  const slowAtTheSmallest = ["s3-fanout", "sha256"].includes(experiment.id);
  it.runIf(!slowAtTheSmallest)("has the smallest size in its quick preset", () => {
    // Those two take six seconds a call in Python there: it is in their standard preset alone.
    expect(Math.min(...experiment.quickMemoryMb)).toBe(Math.min(...experiment.memoryMb));
  });

  it("warms as many environments as it has at the most, and keeps calls of each", () => {
    for (const preset of Object.values(experiment.presets)) {
      expect(preset.warmEnvironments).toBeLessThanOrEqual(preset.environments);
      const calls = preset.warmCalls / preset.warmEnvironments;
      expect(calls).toBeGreaterThan(experiment.discardedCalls);
    }
  });
});

it("what the dynamodb experiment's functions write lies below the prefixes that their roles have, as the contract's cases have it", () => {
  const { keyPrefixes = [] } = experimentById("dynamodb").table?.writes ?? {};
  const written = dynamodbEvents.cases
    .flatMap(({ parsed }) => parsed ?? [])
    .filter(({ operation }) => /^(put|batch_write)$/.test(operation))
    .map(({ pk }) => pk);
  expect(written).not.toEqual([]);
  for (const pk of written)
    expect(
      keyPrefixes.some((prefix) => pk.startsWith(prefix)),
      pk,
    ).toBe(true);
});

describe("the experiment compute", () => {
  const { requests = {} } = experimentById("compute");

  it("checks what is computed against what arithmetic says that it is", () => {
    let [value, next] = [0, 1];
    for (let n = 0; n < Number(requests.fibonacci?.parameters?.n); n += 1) {
      [value, next] = [next, value + next];
    }
    expect(requests.fibonacci?.expected).toEqual({ value });
    const odd = Array.from({ length: 100_000 }, (_, index) => 2 * index + 1);
    const sum = odd.reduce((total, number) => total + number, 0);
    expect(requests.vector?.expected).toEqual({ value: sum });
  });
});

describe("the experiment dynamodb-batch", () => {
  const { requests = {}, coldOperation, table } = experimentById("dynamodb-batch");

  it("holds what is read against what the items are worth, and writes below its own prefix", () => {
    const value = [0, 1, 2, 3, 4].reduce((sum, place) => sum + (1000 + place) * (1 + place), 0);
    expect(requests[coldOperation]?.expected).toEqual({ itemsCount: 5, value });
    const written = dynamodbBatchCases.cases.flatMap(({ written }) => written ?? []);
    expect(written).not.toEqual([]);
    for (const [pk] of written)
      expect(pk?.startsWith(String(table?.writes?.keyPrefixes))).toBe(true);
  });
});

describe("the experiment sha256", () => {
  const { requests = {}, coldOperation } = experimentById("sha256");

  it("checks its chain against what OpenSSL makes of it", () => {
    const { parameters, expected } = requests[coldOperation] ?? {};
    let digest = Buffer.alloc(32);
    for (let round = 0; round < Number(parameters?.rounds); round += 1) {
      digest = hash("sha256", digest, "buffer");
    }
    expect(expected).toEqual({ value: digest.readUIntBE(0, 6) });
  });
});

describe("the experiment first-request", () => {
  it("has the variants of its contract, each a binary of its own name", () => {
    const { variants } = experimentById("first-request");
    const names = ["breakdown", "unwarmed", "warmed", "no-jitter", "ring", "tuned"];
    expect(variants.map(({ id }) => id)).toEqual(names);
    expect(variants.map(({ source }) => source.kind === "cargo" && source.binaryName)).toEqual(
      names.map((name) => `first-request-${name}`),
    );
  });

  it("leaves the entropy out in one build alone", () => {
    const { variants } = experimentById("first-request");
    const without = variants.filter(
      ({ source }) =>
        source.kind === "cargo" && source.environment?.AWS_LC_SYS_NO_JITTER_ENTROPY !== undefined,
    );
    expect(without.map(({ id }) => id)).toEqual(["no-jitter"]);
  });
});

it("the tuned builds are for the processors that Lambda promises, and the others for any", () => {
  const chosen = experiments.flatMap(({ variants }) =>
    variants.filter(({ source }) => /target-cpu/.test(JSON.stringify(source))),
  );
  expect(chosen.map(({ id }) => id)).toEqual(["rust-tuned", "tuned", "rust-floor"]);
  const { environment } = tunedBuild;
  for (const { source } of chosen) expect(source).toMatchObject({ environment });
});

describe("the experiment s3-fanout", () => {
  const { requests = {}, bucket, warmOperations } = experimentById("s3-fanout");

  it("holds every fan-out against as many objects as were seeded", () => {
    expect(bucket?.seed.objectCount).toBe(100);
    for (const name of warmOperations) expect(requests[name]?.expected?.itemsCount).toBe(100);
  });

  it("asks no serial variant for calls at the same time", () => {
    for (const { parameters, variants = ["python-serial"] } of Object.values(requests)) {
      const isSerial = variants.some((variant) => variant.endsWith("-serial"));
      expect(isSerial && parameters?.concurrency !== undefined).toBe(false);
    }
  });
});
