import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";

interface Checker {
  check(mutants: readonly object[]): Promise<Record<string, { readonly status: string }>>;
}

const plugin = "./draw.mjs";
const { strykerPlugins } = (await import(plugin)) as {
  readonly strykerPlugins: readonly [{ readonly injectableClass: new () => Checker }];
};

/** Mutants of a file, as StrykerJS gives them to a checker. */
const mutants = Array.from({ length: 2000 }, (_, id) => ({
  id: String(id),
  fileName: join(projectPaths.root, "lib", "plan", "expand.ts"),
  location: { start: { line: id, column: 2 }, end: { line: id, column: 9 } },
  replacement: "false",
}));

async function drawn(share: string, seed: string) {
  vi.stubEnv("KELVIN_MUTANTS_SHARE", share);
  vi.stubEnv("KELVIN_MUTANTS_SEED", seed);
  const [{ injectableClass: Draw }] = strykerPlugins;
  const results = await new Draw().check(mutants);
  expect(Object.keys(results)).toHaveLength(2000);
  return Object.keys(results).filter((id) => results[id]?.status === "passed");
}

it("draws the share of the mutants, the same ones for the same seed and others for another", async () => {
  const [one, again, other] = [
    await drawn("0.1", "1"),
    await drawn("0.1", "1"),
    await drawn("0.1", "2"),
  ];
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
  // Seven standard errors of a tenth of 2,000.
  expect(Math.abs(one.length - 200)).toBeLessThan(95);
  expect(await drawn("1", "1")).toHaveLength(2000);
});

it("draws a larger share's mutants and with them those of a smaller one", async () => {
  const [small, large] = [await drawn("0.05", "1"), await drawn("0.2", "1")];
  expect(large).toEqual(expect.arrayContaining(small));
});
