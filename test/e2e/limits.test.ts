import { Template } from "aws-cdk-lib/assertions";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { anyContext, type Context } from "../support/any-context.ts";
import { limitsPassedByPlan } from "../support/plan-limits.ts";
import { passedLimits } from "../support/stack-limits.ts";
import { synthStack } from "../support/synth.ts";
import { isRelease } from "./support/release.ts";

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
