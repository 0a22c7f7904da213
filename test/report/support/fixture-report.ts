import type { Summary } from "../../../lib/analysis/summary.ts";
import { renderReport } from "../../../lib/experiments/render-report.ts";
import { type FixtureChoice, fixtureInputs, type Replaced } from "./fixture.ts";

/** Renders the report of the fixture, and returns it with the forms that tests read. */
export async function fixtureReport(choice: FixtureChoice = {}, replaced: Replaced = {}) {
  const report = await renderReport(fixtureInputs(choice, replaced));
  const file = (name: string) => report.files[name] ?? "";
  return {
    ...report,
    comment: report.comment ?? "",
    markdown: file("report-full.md"),
    /** The terminal's first screen in one line. */
    screen: report.headline.replaceAll(/\s+/g, " "),
    get view() {
      return JSON.parse(file("summary.json")) as Summary;
    },
  };
}
