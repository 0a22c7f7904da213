import { InvalidInput } from "../contract/errors.ts";
import { isInsightsHeader, readInsights } from "./read-insights.ts";
import { readLog } from "./read-log.ts";
import { powerTuningOutput, readPowerTuning } from "./read-power-tuning.ts";
import type { ReadSource, SourceFormat, SourceText } from "./source.ts";

const readers: Readonly<Record<SourceFormat, (source: SourceText) => ReadSource>> = {
  report: readLog,
  insights: readInsights,
  "power-tuning": readPowerTuning,
};

/** The format that an option names; undefined where none does. Throws InvalidInput. */
export function formatOf(word: string | undefined): SourceFormat | undefined {
  if (word === undefined) return undefined;
  const formats = Object.keys(readers) as SourceFormat[];
  const found = formats.find((format) => format === word);
  if (found !== undefined) return found;
  throw new InvalidInput("from", word, formats.join(", "));
}

/** What a source holds. Throws InvalidInput where it holds nothing to take. */
export function readSource(source: SourceText, format = detected(source.text)): ReadSource {
  const read = readers[format](source);
  if (read.invocations.length + read.averages.length > 0) return read;
  throw noReport(read);
}

/** What a source of which nothing was taken did hold. */
function noReport({ name, format, read, notTaken, warnings }: ReadSource): InvalidInput {
  const held = [...notTaken].map(([reason, n]) => `${n} ${reason}`);
  const found = `${read} lines or rows (read as ${format}) and no report of an invocation`;
  return new InvalidInput(
    name,
    [found, ...held, ...warnings].join("; "),
    "Lambda's REPORT lines or platform.report records, a CSV of Logs Insights, or Power Tuning's output",
  );
}

/** A log is whatever is neither of the others. */
function detected(text: string): SourceFormat {
  if (powerTuningOutput(text) !== undefined) return "power-tuning";
  const [first = ""] = text.replace(/^\uFEFF/, "").split(/\r?\n/, 1);
  return isInsightsHeader(first) ? "insights" : "report";
}
