import { breakingTables } from "./breaking.ts";
import { type LogDesign, logDesigns, logRow } from "./clustered-logs.ts";
import {
  coldDesign,
  designOf,
  designs,
  designText,
  presets,
  stoppingDesigns,
  withShare,
} from "./designs.ts";
import { floorTables } from "./floors.ts";
import { meansRow } from "./means.ts";
import { mishaps, type Population, populations } from "./populations.ts";
import { reportTables } from "./reports.ts";
import { type Design, type StudyOptions, shift } from "./simulated.ts";
import { statisticTables } from "./statistics.ts";
import {
  comparisonsOfReport,
  mishapRow,
  type StudyRow,
  significantShare,
  stoppingRow,
  studyRow,
} from "./study.ts";
import { line, percent, type StudyTable, studyTable } from "./study-table.ts";

/** Environment counts; the last two exceed the standard preset. */
const environmentCounts = [20, 30, 40, 50, 60, 80, 100] as const;

/** Fewer rounds: a run with many looks takes longer than an interval. */
const fewerRounds = { stopping: 0.5, means: 0.25, logs: 0.5, longLogs: 0.05 } as const;

/** Formats one row of the first table. */
export function tableRow(population: Population, design: Design, row: StudyRow): string {
  const { covered, falseVerdicts, falselySignificant, shiftSeen, shiftCalled } = row;
  const power = [row.significant, row.significantOfMany, shiftSeen, shiftCalled];
  const shares = [covered, falseVerdicts, falselySignificant, ...power].map(percent);
  return line([population.id, designText(design), ...shares]);
}

/** Rows of every population under every design. */
function* tableRows(options: StudyOptions): Generator<string> {
  for (const population of populations) {
    for (const design of designs) {
      yield tableRow(population, design, studyRow(population, design, options));
    }
  }
}

/** The tables of the study, each with its name in the document. */
export const studyTables: readonly StudyTable[] = [
  studyTable(
    "table",
    ["population", "measured"],
    [
      "covers the true ratio",
      "A/A: called faster or slower",
      "A/A: told apart",
      "10% shift: told apart",
      `the same, the only one of ${comparisonsOfReport}`,
      "10% shift: interval leaves out 1",
      "10% shift: called slower at a margin of 5%",
    ],
    tableRows,
  ),
  ...statisticTables,
  ...breakingTables,
  ...floorTables,
  studyTable("environments", ["population"], environmentCounts.map(String), environmentsRows),
  studyTable(
    "stopping",
    ["population", "until"],
    ["ended by precision", "environments, mean", "covers the true ratio"],
    stoppingRows,
  ),
  ...reportTables,
  studyTable(
    "mishaps",
    ["population", "measured"],
    [
      "covers the true ratio",
      "A/A: called faster or slower",
      "10% shift: interval leaves out 1",
      "the report warns of the variant's drift",
      "no interval",
    ],
    mishapRows,
  ),
  studyTable(
    "logs",
    ["population", "log"],
    [
      "each stream an environment: covers the mean over calls",
      "each call an environment: covers the mean over calls",
      "each stream an environment: covers the median over environments",
      "streams drawn, calls pooled: covers the median over calls",
    ],
    logRows,
  ),
  studyTable(
    "means",
    ["population", "measured"],
    ["two runs: covers the true ratio", "covers the true mean"],
    meansRows,
  ),
];

/** Rows of every population's cold starts, by the number measured. */
function* environmentsRows(options: StudyOptions): Generator<string> {
  for (const population of populations) {
    const shares = environmentCounts.map((environments) =>
      significantShare(population, coldDesign("cold", environments), shift, options),
    );
    yield line([population.id, ...shares.map(percent)]);
  }
}

/** Rows of every population, ended by the width of its interval. */
function* stoppingRows(options: StudyOptions): Generator<string> {
  const fewer = withShare(options, fewerRounds.stopping);
  for (const population of populations) {
    for (const design of stoppingDesigns) {
      const { reached, environments, covered } = stoppingRow(population, design, fewer);
      const { label, least, most, untilPrecision } = design;
      const text = `${label}: ${least} to ${most}, ±${100 * untilPrecision}%`;
      const figures = [percent(reached), environments.toFixed(0), percent(covered)];
      yield line([population.id, text, ...figures]);
    }
  }
}

function* mishapRows(options: StudyOptions): Generator<string> {
  for (const population of mishaps) {
    for (const design of presets.map((size) => designOf(size, "cold"))) {
      const row = mishapRow(population, design, options);
      const { covered, falseVerdicts, shiftSeen, warned, without } = row;
      const shares = [covered, falseVerdicts, shiftSeen, warned, without].map(percent);
      yield line([population.id, designText(design), ...shares]);
    }
  }
}

/** Rows of every population under every design, as two runs and on its own. */
function* meansRows(options: StudyOptions): Generator<string> {
  const fewer = withShare(options, fewerRounds.means);
  for (const population of populations) {
    for (const design of designs) {
      const { ratioCovered, meanCovered } = meansRow(population, design, fewer);
      const mean = meanCovered === undefined ? "–" : percent(meanCovered);
      yield line([population.id, designText(design), percent(ratioCovered), mean]);
    }
  }
}

/** Rows of populations as logs from elsewhere, which have no blocks. */
function* logRows(options: StudyOptions): Generator<string> {
  const ids = ["log-normal", "bimodal", "heavy-tail"];
  for (const population of populations.filter(({ id }) => ids.includes(id))) {
    for (const design of logDesigns) yield logTableRow(population, design, options);
  }
}

export function logTableRow(
  population: Population,
  design: LogDesign,
  options: StudyOptions,
): string {
  const { rounds: longRounds } = withShare(options, fewerRounds.longLogs);
  const fewer = withShare(options, fewerRounds.logs);
  const row = logRow(population, design, { ...fewer, longRounds, draws: 100 });
  const shares = [row.byStream, row.byCall, row.medianByStream, row.pooled].map(percent);
  return line([population.id, design.label, ...shares]);
}
