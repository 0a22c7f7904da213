import { expect, it } from "vitest";
import { type Prediction, score } from "../../lib/analysis/prediction.ts";
import kept from "../../lib/contract/prediction.json" with { type: "json" };
import { renderReport } from "../../lib/experiments/render-report.ts";
import { type FixtureChoice, fixtureInputs } from "./support/fixture.ts";

const local = {
  target: "local",
  memoryMb: [128],
  cold: 6,
  warm: 60,
  operations: ["get"],
} as const satisfies FixtureChoice;
const noNetwork = "There was no network between the functions and DynamoDB.";

async function reportOf(choice: FixtureChoice): Promise<string> {
  const { files } = await renderReport(fixtureInputs(choice));
  return files["report-full.md"] as string;
}

it("a local run says how well such runs predicted what was published from Lambda", async () => {
  const variants = score(
    kept.studies.flatMap(({ predictions }) =>
      predictions.flatMap((each) =>
        each.kind === "variants" ? [{ ...each, kind: "variants" as const }] : [],
      ),
    ),
  );
  const said = `of ${variants.n} ratios between variants, ${variants.rightSide} had the right variant ahead, and their size was off by a factor of ${variants.meanFactor.toFixed(2)}`;
  expect(await reportOf(local)).toContain(said);
  expect(await reportOf({ ...local, target: "aws" })).not.toContain("had the right variant ahead");
});

it("a local run is as uncertain as what it compares was: warm calls, first requests", async () => {
  const predictions = kept.studies.flatMap((study) => study.predictions);
  const factorOf = (what: RegExp) => {
    const found = predictions.filter((each) => each.kind === "variants" && what.test(each.what));
    const { n, meanFactor } = score(found as Prediction[]);
    expect(n).toBeGreaterThan(10);
    return meanFactor.toFixed(1);
  };
  const warm = `by a factor of ${factorOf(/warm `/)} on warm calls`;
  const first = `${factorOf(/first/)} on first requests`;
  expect(await reportOf(local)).toContain(`${warm}, ${first}); `);
  expect(await reportOf({ ...local, warm: 0 })).toContain(`by a factor of ${first}); `);
  expect(await reportOf({ ...local, target: "aws" })).not.toContain("miss published ratios");
});

it("warns where no network was in the path, and not where one was", async () => {
  expect(await reportOf({ ...local, network: false })).toContain(noNetwork);
  expect(await reportOf(local)).not.toContain(noNetwork);
  expect(await reportOf({ ...local, target: "aws" })).not.toContain(noNetwork);
});

it("says on the first screen what Lambda billed for the first calls that a local run has the other way round", async () => {
  const headlineOf = async (choice: FixtureChoice) => {
    const { headline } = await renderReport(fixtureInputs(choice));
    return headline.replaceAll("\n", " ");
  };
  const rust = "1,025 ms for the default Rust build's first call at 128 MB";
  const tuned = "188 ms if Init prepares it (as the tuned build does)";
  const python = "648 ms for Python's";
  expect(await headlineOf(local)).toContain(`${rust}, ${tuned} and ${python}`);
  expect(await headlineOf({ ...local, variants: ["rust", "rust-tuned"] })).toContain(
    `${rust} and ${tuned}.`,
  );
  expect(await headlineOf({ ...local, variants: ["rust", "python"] })).toContain(
    `${rust} and ${python}.`,
  );
  expect(await headlineOf({ ...local, memoryMb: [512] })).not.toContain("studies were billed");
  expect(await headlineOf({ ...local, target: "aws" })).not.toContain("studies were billed");
});
