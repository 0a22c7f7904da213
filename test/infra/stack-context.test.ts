import { describe, expect, it } from "vitest";
import cdkJson from "../../cdk.json" with { type: "json" };
import { parseStackProps, requireKnownContext } from "../../lib/infra/stack-context.ts";

const propsOf = (context: Readonly<Record<string, unknown>>) =>
  parseStackProps((name) => context[name]);
const cellIds = (context: Readonly<Record<string, unknown>>) =>
  propsOf(context).experiments[0]?.cells.map((cell) => cell.id);

describe("CDK context", () => {
  it("is by default the dynamodb experiment on arm64 in all its sizes, and results go with the stack", () => {
    const { experiments, keepResults } = propsOf({});
    expect(experiments.map(({ experiment }) => experiment.id)).toEqual(["dynamodb"]);
    expect(experiments[0]?.cells).toHaveLength(19);
    expect(keepResults).toBe(false);
  });

  it("chooses sizes, variants and architectures, as text from -c or as lists from cdk.json", () => {
    const ids = ["rust-x86-64-128", "python-x86-64-128", "rust-x86-64-128-replica"];
    const variants = "rust,python";
    expect(cellIds({ memory: "128", variants, architectures: "x86_64" })).toEqual(ids);
    expect(
      cellIds({ memory: [128], variants: ["rust", "python"], architectures: ["x86_64"] }),
    ).toEqual(ids);
    expect(cellIds({ memory: 128, variants, architectures: "x86_64" })).toEqual(ids);
  });

  it("drops sizes above maxMemory and says which", () => {
    const [chosen] = propsOf({ maxMemory: "1024" }).experiments;
    expect(Math.max(...(chosen?.cells ?? []).map((cell) => cell.memoryMb))).toBe(1024);
    expect(chosen?.leftOut).toEqual([
      "1769 MB, above -c maxMemory=1024",
      "3008 MB, above -c maxMemory=1024",
    ]);
  });

  it("has of an experiment's own sizes those that every account takes, the others when asked", () => {
    const sizesOf = (context: Readonly<Record<string, unknown>>) => {
      const [chosen] = propsOf({ experiments: "multicore", ...context }).experiments;
      const sizes = new Set((chosen?.cells ?? []).map(({ memoryMb }) => memoryMb));
      return { sizes: [...sizes], leftOut: chosen?.leftOut ?? [] };
    };
    expect(sizesOf({}).sizes).toEqual([1536, 2048]);
    expect(sizesOf({}).leftOut[0]).toBe(
      "4096 MB, which new accounts may not use; if yours may: -c maxMemory=4096",
    );
    const all = [1536, 2048, 4096, 6144, 8192, 10_240];
    expect(sizesOf({ maxMemory: "10240" })).toEqual({ sizes: all, leftOut: [] });
    expect(sizesOf({ memory: "4096" })).toEqual({ sizes: [4096], leftOut: [] });
  });

  it("gives each of several experiments those of the sizes that it may have", () => {
    const { experiments } = propsOf({ experiments: "compute,multicore", memory: "128,1536" });
    const sizes = experiments.map(({ cells }) => [...new Set(cells.map((cell) => cell.memoryMb))]);
    expect(sizes).toEqual([[128, 1536], [1536]]);
  });

  it("says which preset a run takes that does not say, standard by default", () => {
    expect(propsOf({}).preset).toBe("standard");
    expect(propsOf({ preset: "quick" }).preset).toBe("quick");
  });

  const refused: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ experiments: "s3" }, 'context experiments: found "s3"; allowed: dynamodb'],
    [
      { experiments: "emulators" },
      "sha256; emulators runs only on one machine and on its own: npm run bench -- --experiment emulators",
    ],
    [{ experiments: "dynamodb,dynamodb" }, "allowed: each value once"],
    [{ memory: "128,lots" }, 'context memory: found "lots"; allowed: whole numbers of MB'],
    [{ memory: "64" }, "memoryMb: found 64; allowed: different whole numbers from 128 to 10240"],
    [{ memory: "128," }, "context memory: found"],
    [{ variants: "go" }, 'context variants: found "go"; allowed: rust, rust-tuned, python'],
    [{ architectures: "arm" }, "there is no architecture arm; there are arm64 and x86_64"],
    [
      { maxMemory: "64" },
      "context maxMemory: found 64; allowed: at least dynamodb's smallest size, 128",
    ],
    [
      { maxMemory: "128,512" },
      'context maxMemory: found "128,512"; allowed: one whole number of MB',
    ],
    [{ preset: "fast" }, 'context preset: found "fast"; allowed: quick, standard'],
    [
      { experiments: "compute,multicore", memory: "128" },
      "context memory: found [128]; allowed: at least one of multicore's: 1536, 2048, 4096",
    ],
    [{ experiments: "multicore", memory: "1536,128" }, "context memory: found 128; allowed: 1536"],
    [{ keepResults: "yes" }, 'context keepResults: found "yes"; allowed: true, false'],
    [{ trustConditions: "all" }, 'context trustConditions: found "all"; allowed: sourceAccount'],
    [{ permissionsBoundary: "no spaces" }, "context permissionsBoundary: found"],
    [
      { rolePath: "bench" },
      'context rolePath: found "bench"; allowed: a path that starts and ends',
    ],
  ];

  it("that is misspelt is refused before anything is built; what CDK has of its own is not", () => {
    expect(() => requireKnownContext(["keepResults", "keepResult"])).toThrow(
      'context: found "keepResult"; allowed: one of stack, functions, experiments, memory, ' +
        "maxMemory, architectures, variants, preset, keepResults, permissionsBoundary, rolePath, prices, trustConditions",
    );
    const ofCdk = ["aws:cdk:version-reporting", "acknowledged-issue-numbers"];
    expect(() => requireKnownContext([...ofCdk, ...Object.keys(cdkJson.context)])).not.toThrow();
  });

  it.each(refused)("%j is refused with field, value and what is allowed", (context, message) => {
    expect(() => propsOf(context)).toThrow(message);
  });
});
