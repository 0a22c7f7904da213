import { expect, it } from "vitest";
import { score } from "../../lib/analysis/prediction.ts";
import kept from "../../lib/contract/prediction.json" with { type: "json" };
import { type FixtureChoice, fixtureInputs } from "./support/fixture.ts";
import { fixtureReport } from "./support/fixture-report.ts";

const local = {
  target: "local",
  memoryMb: [128],
  cold: 6,
  warm: 60,
  operations: ["get"],
} as const satisfies FixtureChoice;
const noNetwork = "There was no network between the functions and DynamoDB.";

const reportOf = async (choice: FixtureChoice) => (await fixtureReport(choice)).markdown;

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
  const unavailableCalls = [{ variant: "own", calls: ["sns.Publish", "s3.SelectObjectContent"] }];
  const { files } = await fixtureReport(local, { manifest: { unavailableCalls } });
  const said = "own calls sns.Publish, s3.SelectObjectContent: not available on this machine";
  expect(files["report.md"]).toContain(said);
  expect(files["report-full.md"]).toContain(said);
  expect(await reportOf(local)).not.toContain("not available on this machine");
});

it("gives the unpacked size of folders, which have no zip, and never says that nothing was measured", async () => {
  const { manifest } = fixtureInputs(local);
  const artefacts = manifest.artefacts.map(({ zipBytes: _, ...folder }) => folder);
  const { files } = await fixtureReport(local, { manifest: { artefacts } });
  expect(files["report-full.md"]).toMatch(/\nUnpacked: [\d.]+/);
  expect(files["report-full.md"]).not.toContain("As deployed: Nothing was measured.");
  expect(await reportOf(local)).toContain("As deployed: ");
});

it("says that one environment was alive at a time where a function listens on a port", async () => {
  const plan = { idleMs: 80 };
  const said = "web listens on a port: one environment exists at a time";
  const { files } = await fixtureReport(local, { plan, manifest: { listening: ["web"] } });
  expect(files["report-full.md"]).toContain(said);
  expect(files["report-full.md"]).not.toContain("other environments of the block are called");
  const usual = await fixtureReport(local, { plan });
  expect(usual.files["report-full.md"]).toContain("other environments of the block are called");
});
