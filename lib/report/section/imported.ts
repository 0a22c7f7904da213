import type { ImportedOrigin, ImportedSource, Manifest } from "../../contract/types/contract.ts";
import { strong, warning } from "../document/blocks.ts";
import type { Note } from "../document/document.ts";
import { count } from "../document/format-number.ts";

const formats: Readonly<Record<ImportedSource["format"], string>> = {
  report: "log with Lambda's reports",
  insights: "CSV of CloudWatch Logs Insights",
  "power-tuning": "output of AWS Lambda Power Tuning",
};

/** What must be known of samples that others made, before a number is read. */
export function importedNote({ imported }: Pick<Manifest, "imported">): readonly Note[] {
  if (imported === undefined) return [];
  const from = `Not measured by Kelvin: read from ${sourceNames(imported)}.`;
  if (imported.averages !== undefined) {
    return [
      warning([
        strong("Imported averages."),
        ` ${from} They are another tool's means, of invocations that it did not hand on: there is no sample behind them here, so no interval, no verdict and no comparison.`,
      ]),
    ];
  }
  return [
    warning([
      strong("Imported samples."),
      ` ${from} Cold is what reported an Init Duration (or, with SnapStart, a Restore Duration), and nothing else tells it: not verifiable by a boot id. Which environment a sample is of is not known, so each invocation counts as one of its own. Invocations of one environment are alike, so that the intervals here are narrower, and the verdicts surer, than those environments allow.`,
    ]),
  ];
}

/** `a.log (log with Lambda's reports)`, one after the other. */
export function sourceNames({ sources }: ImportedOrigin): string {
  return sources.map(({ name, format }) => `${name} (${formats[format]})`).join(", ");
}

export function sourceText({ name, format, sha256, read, taken, notTaken }: ImportedSource) {
  const reasons = Object.entries(notTaken).map(([reason, n]) => `${count(n)} ${reason}`);
  const left = reasons.length === 0 ? "none left out" : `not taken: ${reasons.join(", ")}`;
  const hash = sha256 === undefined ? "" : `, SHA-256 ${sha256.slice(0, 12)}`;
  return `${name}: ${formats[format]}${hash}; ${count(read)} read, ${count(taken)} taken; ${left}`;
}

/** In place of how a run of our own is made. */
export const importedMethod =
  "The samples are what Lambda reported of invocations that others made, for their own reasons and in no order of ours: what was different between two sizes or variants besides themselves is not known. Nothing was planned, interleaved or forced cold. Of more than 10,000 invocations an interval of a ratio takes fewer draws than stated below, 1,000 at least.";
