import { type Difference, type SeriesChange, timeOfCalls } from "../analysis/compare-runs.ts";
import { environmentsForFamily, primaryOnly } from "../analysis/family.ts";
import { environmentRange } from "../analysis/findings.ts";
import { gateFinding } from "../analysis/gate.ts";
import type { GateRemedy } from "../analysis/gate-remedy.ts";
import { phases } from "../analysis/series-view.ts";
import {
  type Block,
  code,
  graveWarning,
  heading,
  list,
  makeTable,
  type Note,
  numberColumn,
  type ReportDocument,
  remark,
  rowHeader,
  type Table,
  type Text,
  textColumn,
  verdictColumn,
  warning,
} from "./document/document.ts";
import {
  count,
  measureText,
  medianText,
  missing,
  number,
  plural,
  ratioText,
  shareText,
  tailText,
  verdictText,
} from "./document/format.ts";
import { foldSections } from "./document/sections.ts";
import { factorItemsOfRuns, type RunFactors } from "./factor-text.ts";
import { type Answer, answer } from "./first-screen/first-screen.ts";
import { isSound } from "./first-screen/sound-comparisons.ts";
import { callWords, type Topic } from "./first-screen/topic.ts";
import { notExcludedTexts, remedyOptions, remedyText } from "./gate-text.ts";
import { howLost } from "./lost-calls-text.ts";
import { countsText } from "./phrases.ts";
import { changeRowId, changesAnswer } from "./two-runs-table.ts";

/** A comparison of two runs, with everything that its report needs. */
export interface TwoRuns {
  /** The runs as the reader named them. */
  readonly before: string;
  readonly after: string;
  readonly margin: number;
  readonly changes: readonly SeriesChange[];
  readonly differences: readonly Difference[];
  /** Experiments, cells and operations that only one of the runs has. */
  readonly unshared: readonly string[];
  /** The comparisons that could not be made, each with its cause. */
  readonly notCompared: readonly string[];
  /** The remedy for undecided comparisons. Absent if there are none, or if the runs cannot be repeated. */
  readonly remedy?: GateRemedy;
  /** Comparisons of one factor that the runs declare, within each run. Absent if there are none. */
  readonly factors?: readonly RunFactors[];
  /** The runs during which the machine was busy with other work. */
  readonly busy?: readonly ("earlier" | "later")[];
  /** Basis on which both runs tell environments apart, if the samples are imported. */
  readonly imported?: "log-streams" | "nothing";
}

/** Returns the comparison as a document that starts with its answer. */
export function twoRunsDocument(compared: TwoRuns): ReportDocument & { readonly answer: Answer } {
  const { before, after } = compared;
  const answer = twoRunsAnswer(compared);
  const sections = [
    heading(
      2,
      "All series",
      `The later run compared with the earlier one, ${plural(primaryOnly(compared.changes).length, "series", "series")}, and the parts of the cold starts.`,
    ),
    ...(answer.more.length === 0 ? [] : [list(answer.more)]),
    changesTable(compared),
    heading(2, "Conditions", differencesText(compared)),
    differencesTable(compared.differences),
    ...method(compared),
  ];
  const blocks = [answer.block, ...foldSections(sections)];
  return { title: `${after} vs. ${before}`, blocks, answer };
}

function twoRunsAnswer(compared: TwoRuns): Answer {
  const { changes, margin, factors } = compared;
  const { fewest, most } = environmentRange(changes) ?? { fewest: 0, most: 0 };
  const sizes =
    fewest === most
      ? plural(most, "environment")
      : `${count(fewest)} to ${plural(most, "environment")}`;
  return answer({
    question: "What became slower or faster from the earlier run to the later one?",
    notes: twoRunsNotes(compared),
    lead: [changesText(changes)],
    ...(changes.length > 0 && { table: changesAnswer(changes) }),
    items: [...openItems(compared), ...factorItemsOfRuns(factors)],
    topics: changeTopics(changes),
    nothing: "There is no series in both runs.",
    margin,
    certainty: `${sizes} on each side; a change counts if its whole 95% CI lies beyond ${shareText(margin)} and the test is significant after correction. ${differencesText(compared)}`,
  });
}

/** Returns notes to read before any number. */
export function twoRunsNotes({
  changes,
  unshared,
  imported,
  notCompared,
  differences,
  busy = [],
}: TwoRuns): readonly Note[] {
  const judged = primaryOnly(changes).length;
  const needed = environmentsForFamily(judged);
  const { fewest } = environmentRange(changes) ?? { fewest: 0 };
  return [
    ...(notCompared.length === 0
      ? []
      : [graveWarning(`Not compared in full: ${notCompared.join("; ")}.`)]),
    ...(busy.length === 0 ? [] : [warning(busyText(busy))]),
    ...(imported === undefined ? [] : [warning(importedTexts[imported])]),
    ...differences.flatMap(({ what, before, after }) =>
      what === timeOfCalls && before !== undefined && after !== undefined
        ? [warning(timesText(before, after))]
        : [],
    ),
    ...(fewest < needed
      ? [
          warning(
            tooFew(judged, needed, fewest),
            `too few environments per side: ${fewest} of ${needed}`,
          ),
        ]
      : []),
    ...(unshared.length === 0
      ? []
      : [remark(`Not compared, because only one run has them: ${unshared.join(", ")}.`)]),
  ];
}

function busyText(busy: NonNullable<TwoRuns["busy"]>): string {
  const runs = busy.length === 2 ? "both runs" : `the ${busy.join()} run`;
  return `The machine was busy during ${runs}: repeat on a quiet one before you rely on small differences.`;
}

function changesText(all: readonly SeriesChange[]): string {
  const changes = primaryOnly(all);
  const sound = changes.filter(isSound);
  const lost = changes.length - sound.length;
  const counts =
    sound.length === 0
      ? []
      : [`${countsText(sound.map(({ verdict }) => verdict))} series in both runs`];
  const left = lost === 0 ? [] : [`${count(lost)} not compared, as calls ${howLost}`];
  return `${[...counts, ...left].join("; ")}.`;
}

/** Returns the undecided comparisons, and what would decide them. */
function openItems({ changes, margin, remedy }: TwoRuns): readonly Text[] {
  const finding = gateFinding({ comparisons: changes, margin, manifests: [] });
  if (finding.undecided.length === 0) return [];
  return [
    ...notExcludedTexts(finding),
    ...(remedy === undefined ? [] : [remedyText(remedy, eachRunWith(remedy))]),
  ];
}

/** Returns the remedy as options for each run, because both must be repeated. */
export function eachRunWith(remedy: GateRemedy): string {
  return `each run with ${remedyOptions(remedy).join(" ")}`;
}

function differencesText({ differences }: TwoRuns): string {
  return differences.length === 0
    ? "The recorded conditions do not differ."
    : `${plural(differences.length, "condition")} ${differences.length === 1 ? "differs" : "differ"}: ${differences.map(({ what }) => what).join(", ")}.`;
}

function changeTopics(changes: readonly SeriesChange[]): readonly Topic[] {
  return phases.map((phase) => ({
    subject: "the later run",
    against: "the earlier one",
    call: callWords[phase],
    compared: primaryOnly(changes)
      .filter((change) => change.phase === phase && isSound(change))
      .map((change) => ({
        ...change,
        row: changeRowId(changes, change),
        size: changeSize(change),
      })),
  }));
}

function changeSize({ cell: { variant, memoryMb } }: SeriesChange): string {
  return `${count(memoryMb)} MB (${variant})`;
}

const importedTexts: Readonly<Record<NonNullable<TwoRuns["imported"]>, string>> = {
  "log-streams":
    "Imported samples: only Init Duration tells which are cold. Each log stream is an environment, which counts once however many invocations it answered.",
  nothing:
    "Imported samples: only Init Duration tells which are cold, and each invocation without a known log stream counts as an environment of its own. The intervals are narrower, and the verdicts more confident, than the real environments allow.",
};

function timesText(before: string, after: string): string {
  return `The calls are of different times: ${before}, and ${after}. What differs between hours or days is in every ratio: compare the same hours.`;
}

function tooFew(series: number, needed: number, fewest: number): string {
  return `The smallest side of a series has ${plural(fewest, "environment")}. With ${series} series, no difference can be significant with fewer than ${needed} per side: run more (--cold), or compare fewer series.`;
}

function changesTable({ changes }: TwoRuns): Table {
  const several = new Set(changes.map(({ experiment }) => experiment)).size > 1;
  return makeTable<SeriesChange>(
    {
      id: "changes",
      caption:
        "Mean and median over environments, ms [95% CI]; ratio of means above 1: the later run takes longer. Init and the first Duration are parts of the cold start and no verdict of their own.",
      rowId: (change) => changeRowId(changes, change),
    },
    [
      several ? rowHeader("Experiment", ({ experiment }) => experiment) : undefined,
      rowHeader("Cell", ({ cell }) => code1(cell.id)),
      rowHeader("Phase", ({ phase }) => phase),
      rowHeader("Operation", ({ operation }) => operation),
      rowHeader("Quantity", ({ quantity }) => quantity),
      numberColumn("Before", ({ before }) => measureText(before)),
      numberColumn("After", ({ after }) => measureText(after)),
      numberColumn("Ratio", (change) => ratioText(change)),
      numberColumn("Median before", ({ before }) => medianText(before)),
      numberColumn("Median after", ({ after }) => medianText(after)),
      numberColumn("P95 before", ({ beforeP95 }) => tailText(beforeP95)),
      numberColumn("P95 after", ({ afterP95 }) => tailText(afterP95)),
      numberColumn("Shift ms", ({ shiftMs }) =>
        shiftMs === undefined ? missing : number(shiftMs),
      ),
      numberColumn("Cliff's delta", (change) =>
        change.cliffsDelta === undefined ? missing : number(change.cliffsDelta, 2),
      ),
      numberColumn("p (Holm)", ({ adjustedPValue }) => pText(adjustedPValue)),
      verdictColumn("Verdict", (change) => verdictText(change)),
    ],
    changes,
  );
}

function code1(text: string): Text {
  return [code(text)];
}

function pText(value: number | undefined): string {
  if (value === undefined) return missing;
  return value < 0.001 ? "< 0.001" : number(value, 3);
}

function differencesTable(differences: readonly Difference[]): Table {
  return makeTable<Difference>(
    {
      id: "conditions",
      caption: "What differed in the conditions.",
    },
    [
      rowHeader("Condition", ({ what }) => what),
      textColumn("Before", ({ before }) => before ?? missing),
      textColumn("After", ({ after }) => after ?? missing),
    ],
    differences,
  );
}

function method({ margin }: TwoRuns): readonly Block[] {
  return [
    heading(2, "How to read it", "Ratios, shifts, verdicts, and what two runs cannot tell."),
    list([
      `Ratio: later over earlier, means over environments, with an interval by subsets of the blocks of each run (Hartigan, JASA 64, 1969). The margin of the verdict is ${shareText(margin)}; on AWS, a difference no larger than that of either run's A/A pair, chance apart, is within A/A noise.`,
      `Faster or slower must also pass Mann-Whitney with Holm's correction over all series of this comparison at 5%. "Undecided (differs)" passes it but may lie on either side of the margin.`,
      "Shift: Hodges-Lehmann. Cliff's delta: how often a value of the later run is the larger one, minus how often it is the smaller one.",
      "Two runs at two times differ in more than the code: the ratio includes what the conditions above do not record, for example how busy a host was.",
    ]),
  ];
}
