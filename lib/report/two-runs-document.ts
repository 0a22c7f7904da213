import type { Difference, SeriesChange } from "../analysis/compare-runs.ts";
import { environmentsForFamily } from "../analysis/family.ts";
import {
  type Block,
  code,
  heading,
  list,
  makeTable,
  numberColumn,
  paragraph,
  type ReportDocument,
  remark,
  rowHeader,
  type Table,
  type Text,
  textColumn,
  warning,
} from "./document/document.ts";
import {
  measureText,
  missing,
  number,
  percent,
  plural,
  ratioText,
  verdictText,
} from "./document/format.ts";

/** Everything that is said of two runs. */
export interface TwoRuns {
  /** As the reader named them. */
  readonly before: string;
  readonly after: string;
  readonly margin: number;
  readonly changes: readonly SeriesChange[];
  readonly differences: readonly Difference[];
  /** Experiments that one of them has alone. */
  readonly unshared: readonly string[];
  /** Samples that others measured: each stands for an environment of its own. */
  readonly imported?: true;
}

/** The comparison as a document; `answer` is what a reader in a hurry needs. */
export function twoRunsDocument(compared: TwoRuns): {
  readonly document: ReportDocument;
  readonly answer: readonly Block[];
} {
  const { before, after } = compared;
  const title = `${after} against ${before}`;
  const answer = answerBlocks(compared);
  const tables = [changesTable(compared), differencesTable(compared.differences)];
  return { document: { title, blocks: [...answer, ...tables, ...method(compared)] }, answer };
}

function answerBlocks({
  changes,
  margin,
  unshared,
  differences,
  imported,
}: TwoRuns): readonly Block[] {
  const called = (verdict: SeriesChange["verdict"]) =>
    changes.filter((change) => change.verdict === verdict).length;
  const counts = (["slower", "faster", "equivalent", "undecided"] as const)
    .map((verdict) => [verdict, called(verdict)] as const)
    .filter(([, n]) => n > 0)
    .map(([verdict, n]) => `${n} ${verdict}`);
  const needed = environmentsForFamily(changes.length);
  const fewest = Math.min(
    ...changes.flatMap((change) => [change.environments, change.baselineEnvironments]),
  );
  return [
    paragraph(`Of ${changes.length} series in both runs: ${counts.join(", ")}.`),
    ...(imported === true ? [warning(importedText)] : []),
    ...(fewest < needed ? [warning(tooFew(changes.length, needed, fewest))] : []),
    ...(unshared.length === 0
      ? []
      : [remark(`Not compared, for one run alone has them: ${unshared.join(", ")}.`)]),
    ...(differences.length === 0
      ? [remark("Nothing that the runs say of their conditions differs.")]
      : []),
    paragraph(
      `A difference is called from ${percent(margin)} on, where the whole 95 % interval lies beyond it.`,
    ),
  ];
}

const importedText =
  "Imported samples: cold is told by Init Duration alone, and each invocation counts as an environment of its own, for the real ones are not known. The intervals are narrower, and the verdicts surer, than those allow.";

function tooFew(series: number, needed: number, fewest: number): string {
  return `The smallest side of a series has ${plural(fewest, "environment")}. Over ${series} series it takes ${needed} a side for any difference to be told from chance: run more (--cold), or compare fewer.`;
}

function changesTable({ changes }: TwoRuns): Table {
  const several = new Set(changes.map(({ experiment }) => experiment)).size > 1;
  return makeTable<SeriesChange>(
    {
      id: "changes",
      caption:
        "Medians over environments, ms [95 % interval]; ratio above 1: the later run takes longer.",
      headline: true,
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
      numberColumn("Shift ms", ({ shiftMs }) =>
        shiftMs === undefined ? missing : number(shiftMs),
      ),
      numberColumn("Cliff's delta", (change) =>
        change.cliffsDelta === undefined ? missing : number(change.cliffsDelta, 2),
      ),
      numberColumn("p (Holm)", ({ adjustedPValue }) => pText(adjustedPValue)),
      textColumn("Verdict", (change) => verdictText(change)),
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
      headline: differences.length > 0,
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
    heading(2, "How to read it"),
    list([
      `Ratio: later over earlier, medians over environments, interval by bootstrap over the blocks of each run by itself. Verdict against a margin of ${percent(margin)}; inside the noise floor of either run's A/A pair it is undecided.`,
      'Faster or slower must also pass Mann-Whitney with Holm\'s correction over all series of this comparison at 5 %. "Undecided (differs)" passes it, and may lie on either side of the margin.',
      "Shift: Hodges-Lehmann. Cliff's delta: how often a value of the later run is the larger, less how often it is the smaller.",
      "Two runs at two times differ in more than the code: what the conditions above do not tell, for example how busy a host was, is in the ratio.",
    ]),
  ];
}
