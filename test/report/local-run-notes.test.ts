import { expect, it } from "vitest";
import { score } from "../../lib/analysis/prediction.ts";
import kept from "../../lib/contract/prediction.json" with { type: "json" };
import { renderReport } from "../../lib/experiments/render-report.ts";
import { type FixtureChoice, fixtureInputs } from "./support/fixture.ts";

const local = {
  target: "local",
  memoryMb: [128],
  cold: 6,
  warm: 60,
} as const satisfies FixtureChoice;
const noNetwork = "There was no network between the functions and DynamoDB.";

async function reportOf(choice: FixtureChoice): Promise<string> {
  const { files } = await renderReport(fixtureInputs(choice));
  return files["report-full.md"] as string;
}

it("a local run says how well such runs predicted what was published from Lambda", async () => {
  const variants = score(
    kept.predictions.flatMap((each) =>
      each.kind === "variants" ? [{ ...each, kind: "variants" as const }] : [],
    ),
  );
  const said = `of ${variants.n} ratios between variants, ${variants.rightSide} had the right variant ahead, and their size was off by a factor of ${variants.meanFactor.toFixed(2)}`;
  expect(await reportOf(local)).toContain(said);
  expect(await reportOf({ ...local, target: "aws" })).not.toContain("had the right variant ahead");
});

it("warns where no network was in the path, and not where one was", async () => {
  expect(await reportOf({ ...local, network: false })).toContain(noNetwork);
  expect(await reportOf(local)).not.toContain(noNetwork);
  expect(await reportOf({ ...local, target: "aws" })).not.toContain(noNetwork);
});

it("says on the first screen what Lambda billed for the first calls that a local run has the other way round", async () => {
  const billed =
    "1,025 ms for the default Rust build's first call at 128 MB and 648 ms for Python's";
  const headlineOf = async (choice: FixtureChoice) => {
    const { headline } = await renderReport(fixtureInputs(choice));
    return headline.replaceAll("\n", " ");
  };
  expect(await headlineOf(local)).toContain(billed);
  expect(await headlineOf({ ...local, memoryMb: [512] })).not.toContain("a study was billed");
  const tuned = await headlineOf({ ...local, variants: ["rust", "rust-tuned"] });
  expect(tuned).not.toContain("a study was billed");
  expect(tuned).toContain("The tuned build prepares in Init: on Lambda that took a first request");
  expect(tuned).toContain("from 912 to 21 ms, but its bill, Init included, from 1,025 to 188 ms.");
  expect(await headlineOf({ ...local, variants: ["rust", "python"] })).not.toContain("prepares in");
  expect(await headlineOf({ ...local, target: "aws" })).not.toContain("a study was billed");
});
