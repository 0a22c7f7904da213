import { Template } from "aws-cdk-lib/assertions";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyContext, type Context } from "../support/any-context.ts";
import { limitsPassedByPlan } from "../support/plan-limits.ts";
import { passedLimits } from "../support/stack-limits.ts";
import { synthStack } from "../support/synth.ts";

const contexts = 200;
/** Annotations of a synthesis go there, for each context many. */
const quiet = () => true;

async function allPassedLimits(context: Context) {
  const template = Template.fromStack(synthStack(context));
  return [...passedLimits(template), ...(await limitsPassedByPlan(template))];
}

describe("any stack that can be asked for", () => {
  it(`keeps every limit of AWS, and so does a run of it with {} (${contexts} contexts)`, async () => {
    const write = process.stderr.write;
    process.stderr.write = quiet;
    try {
      await fc.assert(
        fc.asyncProperty(anyContext, async (context) => {
          expect(await allPassedLimits(context)).toEqual([]);
        }),
        { numRuns: contexts, seed: 15, endOnFailure: true },
      );
    } finally {
      process.stderr.write = write;
    }
  });
});
