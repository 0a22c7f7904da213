import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Compared } from "../../analysis/series-ratio.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { durationLines, memoryChart } from "../../report/chart/memory-chart.ts";
import { sizeLabel } from "../../report/document/cell-labels.ts";
import {
  type Block,
  type Chart,
  heading,
  list,
  paragraph,
  strong,
  type Text,
} from "../../report/document/document.ts";
import { count, number, ratioText } from "../../report/document/format.ts";
import type { ExperimentReport } from "../../report/experiment-report.ts";
import type { Topic } from "../../report/first-screen/topic.ts";
import { byVariant } from "../../report/section/columns.ts";
import {
  asItComes,
  type FactorFigures,
  type GainFigures,
  type S3FanoutFigures,
  type SettingRow,
  s3FanoutFigures,
  s3FanoutQuantities,
  s3FanoutQuantitiesOf,
  settingRows,
} from "./figures.ts";
import {
  boundBy,
  boundTable,
  durationTable,
  durationTableId,
  factorTable,
  gainRowId,
  gainTable,
  overWaiting,
  publishedMeanMs,
  publishedPlace,
} from "./tables.ts";

/** The report of `s3-fanout`: what concurrent calls gain, by memory, and what limits them. */
export const s3FanoutReport: ExperimentReport = {
  metrics: s3FanoutQuantities,
  metricsOf: s3FanoutQuantitiesOf,
  part: (inputs) => {
    const figures = s3FanoutFigures(inputs);
    return {
      figures,
      topics: (view) => gainTopics(view, figures),
      publishedPlace,
      chart: (view) => chart(view, plainRows(view, figures)),
      evidence: (view) => s3FanoutEvidence(view, figures),
      sections: (view) => sections(view, figures),
      limits: [
        "The answers are a few hundred bytes long: with larger ones, bandwidth matters, and with slower ones, concurrent calls gain more.",
        "The SDK call's time is summed over concurrent calls, and includes their wait for the interpreter lock and for a pooled connection.",
        "aioboto3 requires an older botocore than the boto3 it is compared with, so a difference between the two is not one of threads against tasks alone.",
        "aioboto3's packages are deployed as source, because an archive keeps no valid bytecode, and each Init compiles them. Init is not part of the fan-out's Duration.",
      ],
    };
  },
};

function sections(view: ReportView, figures: S3FanoutFigures): readonly Block[] {
  const rows = settingRows(view, figures.settings);
  const plain = plainRows(view, figures);
  if (plain.length === 0) return [];
  const isBounded = rows.some(
    ({ bounds }) => bounds.waitingMs !== undefined || bounds.cpuMs !== undefined,
  );
  return [
    heading(
      2,
      "What concurrent calls buy",
      "The fan-out by memory, compared with one call after another.",
    ),
    paragraph(
      "Each fan-out lists a hundred objects and asks for the access control list of each: 101 small answers, whose time is mostly spent waiting.",
    ),
    durationTable(view, plain),
    gainTable(view, figures.gains),
    heading(
      2,
      "Concurrency and pool size",
      "The effect of 50 calls at a time, and of a pool that is too small.",
    ),
    factorTable(view, figures.factors),
    ...(isBounded
      ? [heading(2, "What bounds it", "Waiting for answers or CPU time."), boundTable(view, rows)]
      : []),
  ];
}

/** Returns the rows with the libraries' defaults. */
function plainRows(view: ReportView, { settings }: S3FanoutFigures): readonly SettingRow[] {
  return settingRows(view, settings).filter(({ operation }) => operation === asItComes);
}

function chart(view: ReportView, rows: readonly SettingRow[]): readonly Chart[] {
  return memoryChart({
    id: "chart-s3-fanout",
    title: "Fan-out by memory and variant",
    description:
      "Warm Duration of the fan-out: mean over environments with its 95% CI, in ms; both axes are logarithmic.",
    tableId: durationTableId,
    lines: durationLines(view, rows),
  });
}

/** States how much parallel calls gain, where the gain ends, how the factors act, and what the limits are. */
function s3FanoutEvidence(view: ReportView, figures: S3FanoutFigures): readonly Block[] {
  const rows = settingRows(view, figures.settings);
  if (rows.length === 0) return [paragraph("No warm call was measured, so there is no answer.")];
  const gains = byVariant(figures.gains);
  return [
    list([
      ...gains.map((of) => [strong(gainName(view, of)), `: ${gainText(view, of)}.`]),
      ...sizeTexts(view, gains),
      ...factorTexts(view, figures.factors),
      ...processorText(view, rows),
      ...idealText(view, rows),
    ]),
  ];
}

const fanout: Topic["call"] = { on: "for the fan-out", calls: "calls" };

/** Compares concurrent calls with serial ones, in one topic per variant. */
function gainTopics(view: ReportView, { gains }: S3FanoutFigures): readonly Topic[] {
  return byVariant(gains).map((of) => ({
    subject: gainName(view, of),
    against: "one call after another",
    call: fanout,
    compared: of.map((gain) => ({
      ...gain.toSerial,
      ...publishedGain(gain.cell),
      size: sizeLabel(view, gain.cell),
      row: gainRowId(gains.indexOf(gain)),
    })),
  }));
}

function publishedGain(cell: Cell): { readonly published?: number } {
  const [language] = cell.variant.split("-");
  const [own, serial] = [cell, { ...cell, variant: `${language}-serial` }].map((of) =>
    publishedMeanMs(of, asItComes),
  );
  return own === undefined || serial === undefined ? {} : { published: own / serial };
}

function gainName(view: ReportView, [{ cell }]: readonly [GainFigures, ...GainFigures[]]): string {
  return variantLabel(view.subject, cell.variant);
}

/** Formats the gains: `0.27 [..] times as long as one call after another at 512 MB (faster), ...` */
function gainText(view: ReportView, gains: readonly GainFigures[]): string {
  const sizes = gains.map(
    ({ cell, toSerial }) => `${timesText(toSerial)} at ${sizeLabel(view, cell)}`,
  );
  return `over one call after another ${sizes.join(", ")}`;
}

function timesText(compared: Compared): string {
  const decided = compared.ratio === undefined ? "" : ` (${compared.verdict})`;
  return `${ratioText(compared)}${decided}`;
}

/** States up to which size more memory makes a variant faster, if the run shows it. */
function sizeTexts(
  view: ReportView,
  groups: readonly (readonly [GainFigures, ...GainFigures[]])[],
): readonly Text[] {
  const known = groups.filter((of) => of.some(({ toSmaller }) => toSmaller?.ratio !== undefined));
  if (known.length === 0) return [];
  const parts = known.map((of) => {
    const last = of.findLast(({ toSmaller }) => toSmaller?.verdict === "faster");
    const label = gainName(view, of);
    if (last?.toSmaller === undefined) return `${label} nowhere decidedly`;
    const ratio = `${ratioText(last.toSmaller)} of the time at ${count(last.toSmaller.memoryMb)} MB`;
    return `${label} to ${sizeLabel(view, last.cell)} (${ratio})`;
  });
  return [[strong("More memory makes the parallel calls faster"), `: ${parts.join("; ")}.`]];
}

const factorPhrases = {
  "concurrency-and-pool": "50 calls at a time and 50 connections, over the library's defaults",
  "pool-alone": "50 threads behind boto3's own 10 connections, over 50 connections",
} as const;

function factorTexts(view: ReportView, factors: readonly FactorFigures[]): readonly Text[] {
  const changes = Object.keys(factorPhrases) as (keyof typeof factorPhrases)[];
  return changes.flatMap((change) => {
    const known = factors.filter(
      ({ compared, ...factor }) => factor.change === change && compared.ratio !== undefined,
    );
    if (known.length === 0) return [];
    const variants = byVariant(known).map((of) => {
      const sizes = of.map(
        ({ cell, compared }) => `${timesText(compared)} at ${sizeLabel(view, cell)}`,
      );
      return `${variantLabel(view.subject, of[0].cell.variant)} ${sizes.join(", ")}`;
    });
    return [[strong(factorPhrases[change]), `: ${variants.join("; ")}.`]];
  });
}

/** Names the settings, with the libraries' defaults, whose time is determined by the CPU rather than the network. */
function processorText(view: ReportView, rows: readonly SettingRow[]): readonly Text[] {
  const bound = rows.filter((row) => row.operation === asItComes && isComputing(row));
  if (bound.length === 0) return [];
  const cases = bound.map(({ cell, bounds, series }) => {
    const label = variantLabel(view.subject, cell.variant);
    const share = `${number(bounds.cpuMs)} ms of CPU time, ${number(bounds.processorMs)} ms at this size`;
    return `${label} at ${sizeLabel(view, cell)} (${share}, of ${number(series.durationMs.mean)} ms)`;
  });
  return [
    [
      strong("Why not more"),
      `: a call costs CPU time too, which concurrency does not shorten. CPU time exceeds the waiting time, and is most of the Duration, for ${cases.join("; ")}.`,
    ],
  ];
}

/** Returns true if the CPU's bound is the larger one, and the Duration less than 1.5 times as long. */
function isComputing(row: SettingRow): boolean {
  const { mean } = row.series.durationMs;
  const { processorMs } = row.bounds;
  if (mean === undefined || processorMs === undefined) return false;
  return boundBy(row) === "processor" && mean < 1.5 * processorMs;
}

/** Names the variant that comes closest to the waiting time alone. */
function idealText(view: ReportView, rows: readonly SettingRow[]): readonly Text[] {
  const concurrent = rows.filter(({ bounds }) => (bounds.atOnce ?? 1) > 1);
  const known = concurrent.filter((row) => overWaiting(row) !== undefined);
  const [best] = known.toSorted((a, b) => (overWaiting(a) ?? 0) - (overWaiting(b) ?? 0));
  if (best === undefined) return [];
  const { cell, operation, bounds, series } = best;
  const label = variantLabel(view.subject, cell.variant);
  const meanMs = `${number(series.durationMs.mean)} ms`;
  return [
    `Nearest to the ideal: ${label} at ${sizeLabel(view, cell)}, ${operation}: ${meanMs}, ${number(overWaiting(best), 2)} times the ${number(bounds.waitingMs, 0)} ms that ${number(bounds.atOnce, 0)} calls at a time wait.`,
  ];
}
