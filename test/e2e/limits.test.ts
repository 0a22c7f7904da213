import { Template } from "aws-cdk-lib/assertions";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { experiments } from "../../lib/experiments/catalogue.ts";
import type { Experiment } from "../../lib/plan/experiment.ts";
import { mayHaveSize } from "../../lib/plan/matrix.ts";
import { limitsPassedByPlan } from "../support/plan-limits.ts";
import { passedLimits } from "../support/stack-limits.ts";
import { synthStack } from "../support/synth.ts";
import { isRelease } from "./support/release.ts";

type Context = Readonly<Record<string, string>>;

const mostSizes = 6;
/** The longest path that IAM accepts: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
const longestPath = `/${"p".repeat(510)}/`;

/**
 * Generates any number of experiments; up to six memory sizes (or one for each experiment, if more) or the
 * experiments' own; architectures, variants and the rest.
 */
const anyContext: fc.Arbitrary<Context> = fc
  .subarray([...experiments], { minLength: 1 })
  .chain((chosen) =>
    fc.record({
      experiments: fc.constant(chosen.map(({ id }) => id).join(",")),
      memory: fc.option(anySizes(chosen), { nil: "" }),
      variants: fc.option(anyVariants(chosen), { nil: "" }),
      architectures: fc.constantFrom("arm64", "x86_64", "arm64,x86_64"),
      maxMemory: fc.constantFrom("", "10240"),
      preset: fc.constantFrom("quick", "standard"),
      keepResults: fc.constantFrom("true", "false"),
      permissionsBoundary: fc.constantFrom("", "b".repeat(128)),
      rolePath: fc.constantFrom("", longestPath),
    }),
  )
  // `maxMemory` must not be below the requested sizes: otherwise none may be left.
  .map((context) => (context.memory === "" ? context : { ...context, maxMemory: "10240" }));

/** Generates sizes that include at least one for each experiment. */
function anySizes(chosen: readonly Experiment[]): fc.Arbitrary<string> {
  const own = chosen.map(({ memoryMb }) => fc.constantFrom(...memoryMb));
  const other = fc
    .integer({ min: 128, max: 10_240 })
    .filter((size) => chosen.some((experiment) => mayHaveSize(experiment, size)));
  const maxLength = Math.max(0, mostSizes - chosen.length);
  return fc
    .tuple(fc.tuple(...own), fc.uniqueArray(other, { maxLength }))
    .map(([needed, others]) => [...new Set([...needed, ...others])].join(","));
}

/** Generates variants that include at least one of each experiment. */
function anyVariants(chosen: readonly Experiment[]): fc.Arbitrary<string> {
  const ofEach = chosen.map(({ variants }) =>
    fc.subarray(
      variants.map(({ id }) => id),
      { minLength: 1 },
    ),
  );
  return fc.tuple(...ofEach).map((lists) => [...new Set(lists.flat())].join(","));
}

const contexts = isRelease ? 200 : 40;

async function allPassedLimits(context: Context) {
  const template = Template.fromStack(synthStack(context));
  return [...passedLimits(template), ...(await limitsPassedByPlan(template))];
}

describe("any stack that can be asked for", () => {
  it(`keeps every limit of AWS, and so does a run of it with {}: ${contexts} contexts`, async () => {
    // The CDK writes there what is left out, which many contexts make it do.
    const written = vi.spyOn(console, "error").mockImplementation(() => {});
    const kept = fc.asyncProperty(anyContext, async (context) => {
      expect(await allPassedLimits(context)).toEqual([]);
    });
    await fc.assert(kept, { numRuns: contexts, seed: 15, endOnFailure: true });
    written.mockRestore();
  });
});
