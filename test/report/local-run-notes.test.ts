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

it("warns where no network was in the path, and not where one was", async () => {
  expect(await reportOf({ ...local, network: false })).toContain(noNetwork);
  expect(await reportOf(local)).not.toContain(noNetwork);
  expect(await reportOf({ ...local, target: "aws" })).not.toContain(noNetwork);
});

it("names what a function calls that nothing here answers, on the first screen as well", async () => {
  const inputs = fixtureInputs(local);
  const unavailableCalls = [{ variant: "own", calls: ["sns.Publish", "s3.SelectObjectContent"] }];
  const { files } = await renderReport({
    ...inputs,
    manifest: { ...inputs.manifest, unavailableCalls },
  });
  const said = "own calls sns.Publish, s3.SelectObjectContent: not available on this machine";
  expect(files["report.md"]).toContain(said);
  expect(files["report-full.md"]).toContain(said);
  expect(await reportOf(local)).not.toContain("not available on this machine");
});
