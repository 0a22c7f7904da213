import type { PredictionStudy } from "../../lib/analysis/prediction.ts";
import { groupBy } from "../../lib/contract/group-by.ts";
import { fitConstants, type Observation } from "../../lib/prediction/fit.ts";
import type { Spread } from "../../lib/prediction/spread.ts";
import { renderCsv } from "../../lib/report/render/csv.ts";
import {
  type FoundFigure,
  type FoundSource,
  readFound,
  type ScoredFigure,
  scoreFound,
} from "./found-figures.ts";
import { figure, row } from "./page-table.ts";

/** Share of figures that a range is made to contain. */
const coverage = 0.9;

/** The section of docs/prediction.md about figures that no constant was fitted to, and all of them as CSV. */
interface FoundAfterwards {
  readonly tables: Readonly<Record<"found-scores" | "found-missed", readonly string[]>>;
  /** docs/prediction-found.csv: every figure, with its range or why it has none. */
  readonly csv: string;
}

export function foundAfterwards(
  studies: readonly PredictionStudy[],
  observations: readonly Observation[],
  spread: Spread,
): FoundAfterwards {
  const found = readFound();
  const model = { constants: fitConstants(observations), spread };
  const scored = scoreFound(found, studies, model);
  return {
    tables: {
      "found-scores": scoresTable(found, scored),
      "found-missed": missedTable(scored.filter(({ isWithin }) => !isWithin)),
    },
    csv: foundCsv(found, scored),
  };
}

const quantityNames: Readonly<Record<FoundFigure["quantity"], string>> = {
  init: "Init",
  first: "first Duration",
  warm: "warm Duration",
};

function missedTable(missed: readonly ScoredFigure[]): readonly string[] {
  return [
    row(["source", "function", "figure", "published, ms", "compared with", "range here, ms"]),
    row(["---", "---", "---", "---:", "---", "---:"]),
    ...missed.map(({ source: { author, address }, figure: own, here, range }) =>
      row([
        ...[`[${author}](${address})`, own.function, describe(own), publishedMs(own), here.what],
        `${figure(range.low)} to ${figure(range.high)}`,
      ]),
    ),
  ];
}

function foundCsv(found: readonly FoundSource[], scored: readonly ScoredFigure[]): string {
  const header = [
    ...["author", "address", "function", "figure", "published_low_ms", "published_high_ms"],
    ...["compared_with", "differs", "range_low_ms", "range_high_ms", "within_range"],
    "why_not_compared",
  ];
  const rows = found.flatMap((source) =>
    source.figures.map((own) => {
      const { here, range, isWithin } = scored.find((each) => each.figure === own) ?? {};
      const [low = Number.NaN, high = low] = own.publishedMs;
      const bounds =
        range === undefined ? [undefined, undefined] : [range.low, range.high].map(figure);
      return [
        ...[source.author, source.address, own.function, describe(own), low, high],
        ...[
          here?.what,
          own.differs,
          ...bounds,
          isWithin === undefined ? undefined : String(isWithin),
        ],
        own.without,
      ];
    }),
  );
  return renderCsv(header, rows);
}

function describe({ quantity, statistic, n, memoryMb, architecture }: FoundFigure): string {
  const count = n === undefined || n === 1 ? statistic : `${statistic} of ${n}`;
  const size = memoryMb === undefined ? "size not given" : `${memoryMb} MB`;
  return [quantityNames[quantity], count, size, architecture].filter(Boolean).join(", ");
}

function publishedMs({ publishedMs: [low = Number.NaN, high = low] }: FoundFigure): string {
  return low === high ? figure(low) : `${figure(low)} to ${figure(high)}`;
}

/** Summary statistics of several calls, as opposed to one call's time. */
const summaries = ["mean", "median", "lowest and highest"];

/** Lists the shares within the range by kind of figure and by statistic, and how likely so few are by chance. */
function scoresTable(
  found: readonly FoundSource[],
  scored: readonly ScoredFigure[],
): readonly string[] {
  const kind = ({ figure: { quantity }, group }: ScoredFigure) =>
    `${quantityNames[quantity]}, ${group}`;
  const byKind = [...groupBy(scored, kind)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const isSummary = ({ figure: { statistic } }: ScoredFigure) => summaries.includes(statistic);
  const rows = [
    ...byKind,
    ["all that summarise several calls", scored.filter(isSummary)] as const,
    ["all of a single call, or of an unnamed statistic", scored.filter((each) => !isSummary(each))],
    ["all", scored],
  ] as const;
  const figures = found.flatMap((source) => source.figures);
  const authors = new Set(found.map(({ author }) => author));
  return [
    row([
      ...["figures", "number", "authors", "within the range", "published over expected"],
      "chance of so few",
    ]),
    row(["---", ...Array(5).fill("---:")]),
    ...rows.map(([label, own]) => scoreRow(label, own)),
    "",
    `- ${figures.length} figures by ${authors.size} authors met the rule, of which ${scored.length} have a counterpart here.`,
    `- With equal weight for every author, ${percent(meanShareWithin(scored))} lie within their ranges.`,
  ];
}

function scoreRow(label: string, own: readonly ScoredFigure[]): string {
  const within = own.filter(({ isWithin }) => isWithin).length;
  const logs = own.map(({ ratio }) => Math.log(ratio));
  const meanRatio = Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
  return row([
    ...[label, String(own.length), String(authorsOf(own).size), `${within} of ${own.length}`],
    ...[figure(meanRatio), percent(chanceOfAtMost(within, own.length, coverage))],
  ]);
}

function authorsOf(scored: readonly ScoredFigure[]) {
  return groupBy(scored, ({ source }) => source.author);
}

/** Returns the share within the range, averaged over authors. */
function meanShareWithin(scored: readonly ScoredFigure[]): number {
  const shares = [...authorsOf(scored).values()].map(
    (own) => own.filter(({ isWithin }) => isWithin).length / own.length,
  );
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** Returns the probability that at most `k` of `n` independent figures lie within ranges of this coverage. */
export function chanceOfAtMost(k: number, n: number, share: number): number {
  let term = (1 - share) ** n;
  let sum = 0;
  for (let i = 0; i <= k; i++) {
    sum += term;
    term *= ((n - i) / (i + 1)) * (share / (1 - share));
  }
  return Math.min(1, sum);
}

/** Returns two significant digits, and `under 0.1%` below that. */
function percent(share: number): string {
  if (share < 0.001) return "under 0.1%";
  return `${Number((100 * share).toPrecision(2))}%`;
}
