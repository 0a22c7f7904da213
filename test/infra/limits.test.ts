import { describe, expect, it } from "vitest";
import { experiments } from "../../lib/experiments/catalogue.ts";
import { functionsAtOnce } from "../../lib/plan/deployment.ts";
import { stackContexts, templateOf } from "../support/stack-contexts.ts";
import { passedLimits } from "../support/stack-limits.ts";
import { synthTemplate } from "../support/synth.ts";

/** More than 64 measured functions; test/e2e/limits.test.ts has 200 contexts at random. */
const threeExperiments = { experiments: "dynamodb,first-request,compute" };
const everything = {
  experiments: experiments.map(({ id }) => id).join(","),
  maxMemory: "10240",
  architectures: "arm64,x86_64",
};

describe("AWS's limits, with the longest names that the resources can get", () => {
  it.each(Object.keys(stackContexts))("are kept with %s", (name) => {
    expect(passedLimits(templateOf(name))).toEqual([]);
  });

  it("are kept with three experiments", () => {
    expect(passedLimits(synthTemplate(threeExperiments))).toEqual([]);
  });

  it("are kept with the largest stack: every experiment in all of its sizes, on both architectures", () => {
    const template = synthTemplate(everything);
    expect(passedLimits(template)).toEqual([]);
    const measured = Object.values(template.findResources("AWS::Lambda::Function")).filter(
      ({ Properties }) => String(Properties.Description).startsWith("Kelvin: "),
    );
    const cells = experiments.flatMap(({ variants, memoryMb }) =>
      // The replica is one cell more, of one architecture.
      [...Array(variants.length * memoryMb.length * 2 + 1)],
    );
    expect(measured).toHaveLength(cells.length);
  });

  it("leave Lambda time: the functions of the largest stack are created in at most ten chains", () => {
    const functions = synthTemplate(everything).findResources("AWS::Lambda::Function");
    const names = Object.keys(functions);
    const before = names.map((name) =>
      [functions[name]?.DependsOn ?? []].flat().filter((each: string) => each in functions),
    );
    expect(before.filter((each) => each.length === 0)).toHaveLength(functionsAtOnce);
    for (const each of before) expect(each.length).toBeLessThan(2);
    const followed = before.flat();
    expect(new Set(followed).size).toBe(followed.length);
  });
});
