import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { estimateRun } from "../../lib/cost/estimate.ts";
import { publishedPrices } from "../../lib/cost/prices.ts";
import { parseStackProps } from "../../lib/infra/stack-context.ts";
import { expand } from "../../lib/plan/expand.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";

/** What `{}` measures in a stack without context: the standard preset of every deployed cell. */
function estimateOf(region: string, lanes: number) {
  const [deployed] = parseStackProps(() => undefined).experiments;
  if (deployed === undefined) throw new Error("nothing is deployed");
  const plan = expand(deployed.experiment, deployed.cells, {
    runId: "planned",
    target: "aws",
    createdAt: "2026-01-01T00:00:00.000Z",
    seed: 1,
    preset: "standard",
    lanes,
  });
  const run = estimateRun(plan, { region, prices: publishedPrices });
  if (run.kind !== "estimated") throw new Error(run.missing.join());
  return run;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html: 1,000, or 10 when new. */
const lanesOf = { usual: 1000, new: 4 } as const;

describe("the standard preset of the default matrix", () => {
  it("is estimated below 0.50 USD, with what is asked of DynamoDB and S3, and the logs", () => {
    const { estimate, notPriced } = estimateOf("us-east-1", lanesOf.usual);
    expect(notPriced).toEqual([]);
    expect(estimate.costUsd).toBeLessThan(0.5);
    expect(estimate.costUsd).toBeGreaterThan(0.01);
  });

  it.each([
    ["usual", 14],
    ["new", 45],
  ] as const)(
    "in the lanes of a %s account is estimated at %i minutes or less",
    (account, most) => {
      const { estimate } = estimateOf("us-east-1", lanesOf[account]);
      expect(estimate.minutes).toBeLessThanOrEqual(most);
      expect(estimate.minutes).toBeGreaterThan(1);
    },
  );

  it("comes to what the README and its guide say, and so does what AWS Config may add", () => {
    const { estimate } = estimateOf("us-east-1", lanesOf.usual);
    const { costUsd, minutes, configurationItems, configurationItemsUsd = 0 } = estimate;
    const read = (path: string) => readFileSync(join(projectPaths.root, path), "utf8");
    const guide = read("docs/deploying.md");
    const narrowed = estimateOf("us-east-1", lanesOf.new).estimate.minutes;
    const readme = read("README.md").replaceAll(/\s+/g, " ");
    expect(readme).toContain(`about $${costUsd.toFixed(2)} and ${minutes.toFixed(0)} minutes, or`);
    expect(readme).toContain(`or ${narrowed.toFixed(0)} minutes in a new account`);
    expect(readme).toContain(`adds $${configurationItemsUsd.toFixed(2)}`);
    expect(guide).toContain(`comes to $${costUsd.toFixed(2)} and ${minutes.toFixed(0)} minutes`);
    expect(guide).toContain(
      `${configurationItems?.toLocaleString("en-US")} of them, $${configurationItemsUsd.toFixed(2)}`,
    );
    expect(guide).toContain("AWS::Lambda::Function");
    expect(guide).toContain(`to ${narrowed.toFixed(0)} minutes in the 4 lanes of a new account`);
  });

  it("costs as much in the lanes of a usual account as in those of a new one", () => {
    const [usual, narrow] = [lanesOf.usual, lanesOf.new].map(
      (lanes) => estimateOf("us-east-1", lanes).estimate.costUsd,
    );
    expect(Math.abs((usual ?? Number.NaN) / (narrow ?? Number.NaN) - 1)).toBeLessThan(0.02);
  });

  it("takes the sum of what its time goes into, term by term", () => {
    const { minutes, time } = estimateOf("us-east-1", lanesOf.usual).estimate;
    const terms = Object.values(time ?? {});
    expect(terms.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(minutes * 60_000, 3);
    expect(time?.sharedLanesMs).toBe(0);
    expect(estimateOf("us-east-1", lanesOf.new).estimate.time?.sharedLanesMs).toBeGreaterThan(0);
    // 60 blocks, in each of which the last trial waits for 18 others at the most.
    expect(time?.updateSlotsMs).toBeGreaterThan(0);
    expect(time?.updateSlotsMs).toBeLessThanOrEqual(60 * 18 * 67);
  });

  it("costs below 1 USD of Lambda and Step Functions in the dearest region too", () => {
    const everywhere = Object.entries(publishedPrices.regions)
      .filter(([, prices]) => prices.stepFunctionsTransitionUsd !== undefined)
      .map(([region]) => estimateOf(region, lanesOf.usual).estimate.costUsd);
    expect(everywhere).toHaveLength(20);
    expect(Math.max(...everywhere)).toBeLessThan(1);
  });
});
