import { areApart, windowText } from "../../analysis/call-windows.ts";
import type { Summary } from "../../analysis/summary.ts";
import { skippedReports } from "../../contract/exclusion-reasons.ts";
import type { ImportedOrigin, ImportedSource, Manifest } from "../../contract/types/contract.ts";
import { graveWarning, type Note, strong, type Text, warning } from "../document/document.ts";
import { count, plural } from "../document/format.ts";

/** A condition and its value in this run. */
export type Fact = readonly [name: string, value: Text];

/** Returns facts about the imported samples, in place of a plan's; undefined for other runs. */
export function importedFacts({
  imported,
  counts,
  startedAt,
  runId,
}: Manifest): readonly Fact[] | undefined {
  if (imported === undefined) return undefined;
  return [
    ...imported.sources.map((source): Fact => ["Source", sourceText(source)]),
    [
      "Samples",
      `${count(counts.recorded)} imported, ${count(counts.kept)} kept (the n of the statistics)`,
    ],
    ["Environments", environmentsText(imported)],
    ["Imported", startedAt],
    ["Run", runId],
  ];
}

const formats: Readonly<Record<ImportedSource["format"], string>> = {
  report: "log with Lambda's reports",
  events: "events of CloudWatch Logs",
  insights: "rows of CloudWatch Logs Insights",
  "power-tuning": "output of AWS Lambda Power Tuning",
  "log-group": "log group of CloudWatch Logs",
};

/** Notes, before any number, that the samples were measured by others. */
export function importedNote(manifest: Pick<Manifest, "imported" | "warnings">): readonly Note[] {
  const { imported } = manifest;
  if (imported === undefined) return [];
  const from = `Not measured by Kelvin: read from ${sourceNames(imported)}.`;
  if (imported.averages !== undefined) {
    return [
      warning([
        strong("Imported averages."),
        ` ${from} They are means computed by another tool, which did not pass on the invocations behind them. Without samples there are no intervals, no verdicts and no comparisons.`,
      ]),
    ];
  }
  return [
    ...emulatedNote(imported),
    ...skippedNote(imported, manifest.warnings),
    warning([
      strong("Imported samples."),
      ` ${from} An invocation is cold if it reported an Init Duration (with SnapStart, a Restore Duration); nothing else in a log proves it. ${unitText(imported)}`,
    ]),
  ];
}

/** Warns of reports that were left out: cold starts, whose lines are longer, are cut off before others. */
function skippedNote({ sources }: ImportedOrigin, warnings: readonly string[]): readonly Note[] {
  const counts = sources.flatMap(({ notTaken }) =>
    skippedReports.map((each) => notTaken[each] ?? 0),
  );
  const skipped = counts.reduce((sum, n) => sum + n, 0);
  if (skipped === 0) return [];
  const all = sources.reduce((sum, { taken }) => sum + taken, skipped);
  const brief = `${count(skipped)} of ${plural(all, "report")} skipped`;
  const first = warnings.find((each) => /(?:was|were) skipped|: telemetry\./.test(each));
  const named = first === undefined ? "" : ` The first: ${first}.`;
  return [graveWarning([strong(`${brief}:`), ` their calls are in no figure.${named}`], brief)];
}

function emulatedNote({ sources }: ImportedOrigin): readonly Note[] {
  const emulated = sources.reduce((sum, source) => sum + (source.emulated ?? 0), 0);
  if (emulated === 0) return [];
  const taken = sources.reduce((sum, source) => sum + source.taken, 0);
  return [
    warning([
      strong("Not from AWS Lambda:"),
      ` a local emulator (sam local or the Runtime Interface Emulator) printed ${count(emulated)} of ${plural(taken, "report")}. Its times are those of the machine that it ran on.`,
    ]),
  ];
}

/** Returns where the imported invocations ran: `AWS Lambda, as the sources say`. */
export function importedPlace({ sources }: ImportedOrigin): string {
  const emulated = sources.filter((source) => source.emulated !== undefined);
  if (emulated.length === 0) return "AWS Lambda, as the sources say";
  const isAll = sources.every(({ taken, emulated = 0 }) => taken === emulated);
  return isAll ? "a local emulator, not AWS Lambda" : "a local emulator, at least in part";
}

/** Warns if an import's cells were called at different times, which may explain their differences. */
export function timesNote({ imported }: Pick<Manifest, "imported">): readonly Note[] {
  const windows = imported?.windows ?? [];
  const [first, ...others] = windows;
  const other = first && others.find((each) => areApart(first, each));
  if (first === undefined || other === undefined) return [];
  return [
    warning([
      strong("The calls are of different times:"),
      ` ${first.cellId} ${windowText(first)}, ${other.cellId} ${windowText(other)}. What differs between hours or days is in every ratio of the two.`,
    ]),
  ];
}

/** Warns of an import's series with drift or autocorrelation: its intervals assume neither. */
export function driftNote({
  manifest,
  series,
}: Pick<Summary, "manifest" | "series">): readonly Note[] {
  if (manifest.imported === undefined) return [];
  const drifting = series.filter(({ durationWarnings }) =>
    durationWarnings.some(({ kind }) => kind === "drift" || kind === "autocorrelated"),
  );
  if (drifting.length === 0) return [];
  const all = series.filter(({ durationMs }) => durationMs.n > 0).length;
  return [
    warning([
      strong(`Durations drift in ${drifting.length} of ${plural(all, "series", "series")}.`),
      " Intervals take environments as independent of their time: with a drift they are narrower, and verdicts more confident, than another hour would bear out.",
    ]),
  ];
}

/**
 * Warns if costs lack what Lambda charges for restoring snapshots, by the GB and besides Billed Duration, of any runtime
 * but Java's: https://aws.amazon.com/lambda/pricing/ (SnapStart).
 */
export function restoreNote({ series }: Pick<Summary, "series">): readonly Note[] {
  const isCharged = series.some(
    ({ cell, restoreDurationMs }) =>
      restoreDurationMs !== undefined && !cell.runtime.startsWith("java"),
  );
  if (!isCharged) return [];
  return [
    warning([
      strong("Costs are without SnapStart's own charges."),
      " Except for Java, Lambda also charges each restore and the cached snapshot by the GB. No log tells how much: with many cold starts, the bill may be several times as high.",
    ]),
  ];
}

/** Explains what counts as an environment, and how that affects the intervals. */
function unitText({ logStreams }: ImportedOrigin): string {
  if (logStreams === undefined) {
    return "No source names the log streams, so the environment of a sample is unknown, and each invocation counts as an environment of its own. Invocations of one environment resemble each other, so the intervals here are narrower, and the verdicts more confident, than the real number of environments allows.";
  }
  const { streams, samplesWithout, fewestSamples, mostSamples } = logStreams;
  const calls =
    fewestSamples === mostSamples
      ? plural(mostSamples, "invocation")
      : `${count(fewestSamples)} to ${plural(mostSamples, "invocation")}`;
  const each = `Each log stream is an environment: ${count(streams)}, with ${calls} each. Means are over all invocations, medians over the environments' medians, and intervals count environments, however many invocations each answered.`;
  if (samplesWithout === 0) return each;
  return `${each} For ${plural(samplesWithout, "further invocation")} no stream is named: each counts as an environment of its own, and where there are many of them, the intervals are narrower than the real environments allow.`;
}

function environmentsText({ logStreams }: ImportedOrigin): string {
  if (logStreams === undefined) return "unknown: each invocation counts as one of its own";
  const { streams, samples, samplesWithout } = logStreams;
  const without =
    samplesWithout === 0
      ? ""
      : `; ${count(samplesWithout)} without a stream, each as one of its own`;
  return `${plural(streams, "log stream")} with ${plural(samples, "sample")}${without}`;
}

/** Returns `a.log (log with Lambda's reports)`, comma-separated. */
export function sourceNames({ sources }: ImportedOrigin): string {
  return sources.map(({ name, format }) => `${name} (${formats[format]})`).join(", ");
}

function sourceText({ name, format, sha256, read, taken, notTaken }: ImportedSource) {
  const reasons = Object.entries(notTaken).map(([reason, n]) => `${count(n)} ${reason}`);
  const skipped = reasons.length === 0 ? "none left out" : `skipped: ${reasons.join(", ")}`;
  const hash = sha256 === undefined ? "" : `, SHA-256 ${sha256.slice(0, 12)}`;
  return `${name}: ${formats[format]}${hash}; ${count(read)} read, ${count(taken)} taken; ${skipped}`;
}

/** Method of an import, in place of that of a run. */
export const importedMethod =
  "The samples are what Lambda reported of invocations that others made, for their own reasons and in no order of ours: what was different between two sizes or variants besides themselves is not known. Nothing was planned, interleaved or forced cold. Medians have an interval of 95% at any number of environments, between order statistics (Hettmansperger and Sheather, 1986). Means are over all calls, because how many of them an environment answered is the traffic; of more than 400 environments, neighbours are drawn together.";
