import { dynamodb } from "../../lib/experiments/dynamodb/definition.ts";
import { type LogDesign, logDesigns, logRow } from "./clustered-logs.ts";
import { mishaps, type Population, populations } from "./populations.ts";
import {
  comparisonsOfReport,
  type Design,
  environmentsBefore,
  familyRow,
  meansRow,
  mishapRow,
  onlyRow,
  primaryOfReport,
  type StoppingDesign,
  type StudyOptions,
  type StudyRow,
  shift,
  stoppingRow,
  studyRow,
  toldApart,
} from "./study.ts";

const { quick, standard } = dynamodb.presets;
const keptCalls = (calls: number, environments: number) =>
  calls / environments - dynamodb.discardedCalls;

/** What the presets of the experiment dynamodb measure of a series. */
export const designs: readonly Design[] = [
  cold("quick, cold", quick.environments),
  warm("quick, warm", quick.warmEnvironments, quick.warmCalls),
  cold("standard, cold", standard.environments),
  warm("standard, warm", standard.warmEnvironments, standard.warmCalls),
];

/** Cold starts until one ratio is known to a share; at most ten times the preset's environments. */
export const stoppingDesigns: readonly StoppingDesign[] = [
  until("quick, cold", quick.environments, 0.1),
  until("standard, cold", standard.environments, 0.05),
];

/** Of which the last two are beyond the standard preset. */
const environmentCounts = [20, 30, 40, 50, 60, 80, 100] as const;

/** A run of many looks and a report of many comparisons take longer than an interval. */
const fewerRounds = {
  stopping: 0.5,
  families: { quick: 0.1, standard: 0.025 },
  familyTests: { quick: 1, standard: 0.075 },
  only: 0.5,
  means: 0.25,
  logs: 0.5,
  pooledLogs: 0.05,
} as const;

/** The percentiles of a mean of few environments lie at 0.6 of 100: by 1,000 draws they are too near. */
const drawsTimesEnvironments = 36_000;

export const publishedOptions: StudyOptions = { rounds: 4_000, draws: 1_000, seed: 20_261_121 };

const head = [
  "population",
  "measured",
  "covers the true ratio",
  "A/A: called faster or slower",
  "A/A: told apart",
  "10 % shift: told apart",
  `the same, the only one of ${comparisonsOfReport}`,
  "10 % shift: interval leaves out 1",
  "10 % shift: called slower at a margin of 5 %",
];

export const tableHead = [line(head), line(["---", "---", ...head.slice(2).map(() => "---:")])];

/** One row of the table, as it stands in the document. */
export function tableRow(population: Population, design: Design, row: StudyRow): string {
  const { covered, falseVerdicts, falselyToldApart, shiftSeen, shiftCalled } = row;
  const power = [row.toldApart, row.toldApartOfMany, shiftSeen, shiftCalled];
  const shares = [covered, falseVerdicts, falselyToldApart, ...power].map(percent);
  const { label, environments, callsEach } = design;
  const calls = callsEach === 1 ? "" : ` x ${callsEach}`;
  return line([population.id, `${label}: ${environments}${calls}`, ...shares]);
}

/** Every population under every design. */
export function* tableRows(options: StudyOptions): Generator<string> {
  for (const population of populations) {
    for (const design of designs) {
      yield tableRow(population, design, studyRow(population, design, options));
    }
  }
}

const stoppingHead = [
  "population",
  "until",
  "ended by precision",
  "environments, mean",
  "covers the true ratio",
];

/** The tables of the study, each with its name in the document. */
export const studyTables: readonly StudyTable[] = [
  {
    name: "table",
    head: tableHead,
    rows: tableRows,
  },
  {
    name: "environments",
    head: [
      line(["population", ...environmentCounts.map(String)]),
      line(["---", ...environmentCounts.map(() => "---:")]),
    ],
    rows: environmentsRows,
  },
  {
    name: "stopping",
    head: [line(stoppingHead), line(["---", "---", "---:", "---:", "---:"])],
    rows: stoppingRows,
  },
  {
    name: "families",
    head: [
      line([
        "population",
        "measured",
        "called, by the intervals alone",
        "called after the correction",
        "told apart after the correction",
      ]),
      line(["---", "---", "---:", "---:", "---:"]),
    ],
    rows: familyRows,
  },
  {
    name: "only",
    head: [
      line([
        "population",
        "measured",
        `20 % shift, the only one of ${comparisonsOfReport}: ranks, corrected by number, ${environmentsBefore} environments`,
        `the same, ${quick.environments} environments`,
        "the same: swaps of blocks",
        "anything else told apart: swaps of blocks",
      ]),
      line(["---", "---", "---:", "---:", "---:", "---:"]),
    ],
    rows: onlyRows,
  },
  {
    name: "mishaps",
    head: [
      line([
        "population",
        "measured",
        "covers the true ratio",
        "A/A: called faster or slower",
        "10 % shift: interval leaves out 1",
        "the report warns of the variant's drift",
        "no interval",
      ]),
      line(["---", "---", "---:", "---:", "---:", "---:", "---:"]),
    ],
    rows: mishapRows,
  },
  {
    name: "logs",
    head: [
      line([
        "population",
        "log",
        "each stream an environment: covers the median over environments",
        "each call an environment: covers the median over calls",
        "streams drawn, calls pooled: covers the median over calls",
      ]),
      line(["---", "---", "---:", "---:", "---:"]),
    ],
    rows: logRows,
  },
  {
    name: "means",
    head: [
      line(["population", "measured", "covers the true ratio of means", "covers the true mean"]),
      line(["---", "---", "---:", "---:"]),
    ],
    rows: meansRows,
  },
];

export interface StudyTable {
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: (options: StudyOptions) => Iterable<string>;
}

/** Every population's cold starts, by how many of them are measured. */
function* environmentsRows(options: StudyOptions): Generator<string> {
  for (const population of populations) {
    const shares = environmentCounts.map((environments) =>
      toldApart(population, cold("cold", environments), shift, options),
    );
    yield line([population.id, ...shares.map(percent)]);
  }
}

/** Every population, ended by the width of its interval. */
function* stoppingRows(options: StudyOptions): Generator<string> {
  const fewer = withShare(options, fewerRounds.stopping);
  for (const population of populations) {
    for (const design of stoppingDesigns) {
      const { reached, environments, covered } = stoppingRow(population, design, fewer);
      const { label, least, most, untilPrecision } = design;
      const what = `${label}: ${least} to ${most}, ±${100 * untilPrecision} %`;
      const figures = [percent(reached), environments.toFixed(0), percent(covered)];
      yield line([population.id, what, ...figures]);
    }
  }
}

/** Every population and mishap, as whole reports without a difference. */
function* familyRows(options: StudyOptions): Generator<string> {
  for (const population of [...populations, ...mishaps]) {
    for (const size of mishaps.includes(population) ? (["quick"] as const) : presets) {
      const design = coldDesign(size);
      const row = familyRow(population, design, primaryOfReport, {
        ...withShare(options, fewerRounds.families[size]),
        testRounds: withShare(options, fewerRounds.familyTests[size]).rounds,
      });
      const shares = [row.byInterval, row.afterCorrection, row.toldApart].map(percent);
      yield line([population.id, `${design.label}: ${design.environments}`, ...shares]);
    }
  }
}

/** Every population and mishap, as reports of the quick preset with one difference. */
function* onlyRows(options: StudyOptions): Generator<string> {
  const design = coldDesign("quick");
  for (const population of [...populations, ...mishaps]) {
    const row = onlyRow(population, design, withShare(options, fewerRounds.only));
    const shares = [row.before, row.byNumber, row.bySwaps, row.anyOther].map(percent);
    yield line([population.id, `${design.label}: ${design.environments}`, ...shares]);
  }
}

function* mishapRows(options: StudyOptions): Generator<string> {
  for (const population of mishaps) {
    for (const design of presets.map(coldDesign)) {
      const row = mishapRow(population, design, options);
      const { covered, falseVerdicts, shiftSeen, warned, without } = row;
      const shares = [covered, falseVerdicts, shiftSeen, warned, without].map(percent);
      yield line([population.id, `${design.label}: ${design.environments}`, ...shares]);
    }
  }
}

const presets = ["quick", "standard"] as const;

function coldDesign(size: string): Design {
  const design = designs.find(({ label }) => label === `${size}, cold`);
  if (design === undefined) throw new RangeError(`no cold starts of ${size}`);
  return design;
}

/** Every population under every design, as bills. */
function* meansRows(options: StudyOptions): Generator<string> {
  const fewer = withShare(options, fewerRounds.means);
  for (const population of populations) {
    for (const design of designs) {
      const draws = Math.max(options.draws, drawsTimesEnvironments / design.environments);
      const { ratioCovered, meanCovered } = meansRow(population, design, {
        ...fewer,
        draws,
      });
      const { label, environments, callsEach } = design;
      const calls = callsEach === 1 ? "" : ` x ${callsEach}`;
      const mean = meanCovered === undefined ? "–" : percent(meanCovered);
      yield line([population.id, `${label}: ${environments}${calls}`, percent(ratioCovered), mean]);
    }
  }
}

/** Populations as logs that others left, which have no blocks. */
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
  const { rounds: pooledRounds } = withShare(options, fewerRounds.pooledLogs);
  const fewer = withShare(options, fewerRounds.logs);
  const row = logRow(population, design, { ...fewer, pooledRounds, draws: 100 });
  const shares = [row.byStream, row.byCall, row.pooled].map(percent);
  return line([population.id, design.label, ...shares]);
}

function withShare(options: StudyOptions, share: number): StudyOptions {
  return { ...options, rounds: Math.ceil(options.rounds * share) };
}

function until(label: string, least: number, untilPrecision: number): StoppingDesign {
  return { label, least, most: 10 * least, untilPrecision };
}

function cold(label: string, environments: number): Design {
  return { label, environments, callsEach: 1 };
}

function warm(label: string, environments: number, calls: number): Design {
  return { label, environments, callsEach: keptCalls(calls, environments) };
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
