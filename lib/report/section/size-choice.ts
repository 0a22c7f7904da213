import type { ReportView } from "../../analysis/report-view.ts";
import type { SizeChoices, SizeCriterion, VariantSizes } from "../../analysis/size-choice.ts";
import type { Cell, Plan } from "../../contract/types/contract.ts";
import type { Exit, Race } from "../../statistics/size-race.ts";
import { cellColumns } from "../document/cell-labels.ts";
import {
  type Block,
  makeTable,
  type Note,
  numberColumn,
  proseColumn,
  remark,
  strong,
  warning,
} from "../document/document.ts";
import { count, percent, plural, shareText } from "../document/format.ts";
import { boundText } from "./method.ts";

/** A size that a run stopped measuring. */
interface Leaving {
  readonly cell: Cell;
  /** Whether other variants are in the run. */
  readonly isOneOfSeveral: boolean;
  /** The number of environments in which the size was measured. */
  readonly environments: number;
  readonly why: string;
}

/** Returns the sizes dropped since the previous look. */
export function leavings(
  plan: Pick<Plan, "cells">,
  choices: SizeChoices,
  before?: SizeChoices,
): readonly Leaving[] {
  const known = new Set((before?.variants ?? []).flatMap(listDropped));
  return choices.variants.flatMap((sizes) =>
    listDropped(sizes)
      .filter((id) => !known.has(id))
      .map((id) => describeLeaving(plan, choices, sizes, id)),
  );
}

/** Returns the sizes measured in the first block but no longer after the last look. */
function listDropped({ stints }: VariantSizes): readonly string[] {
  const [first, last] = [stints[0]?.ids ?? [], stints.at(-1)?.ids ?? []];
  return first.filter((id) => !last.includes(id));
}

/** Returns the sizes that a run dropped before its end. */
function droppedEarly({ plan, sizeChoices }: ReportView): readonly Leaving[] {
  if (sizeChoices === undefined) return [];
  return sizeChoices.variants.flatMap((sizes) => {
    const lastLook = sizes.stints.at(-1)?.from ?? 0;
    return listDropped(sizes)
      .map((id) => describeLeaving(plan, sizeChoices, sizes, id))
      .filter(({ environments }) => environments < lastLook)
      .toSorted((one, other) => one.environments - other.environments);
  });
}

function describeLeaving(
  { cells }: Pick<Plan, "cells">,
  choices: SizeChoices,
  sizes: VariantSizes,
  id: string,
): Leaving {
  const cell = cells.find((each) => each.id === id);
  if (cell === undefined) throw new Error(`the plan has no cell ${id}`);
  const environments = sizes.stints.reduce((sum, { from, ids }, index) => {
    const until = sizes.stints[index + 1]?.from ?? from;
    return ids.includes(id) ? sum + until - from : sum;
  }, 0);
  const isOneOfSeveral = choices.variants.length > 1;
  return { cell, isOneOfSeveral, environments, why: whyText(cells, choices, sizes, id) };
}

/** Returns `slower and more expensive than 512 MB`. */
function whyText(
  cells: readonly Cell[],
  { tolerance }: SizeChoices,
  { races }: VariantSizes,
  id: string,
): string {
  const sizeOf = (by = "") =>
    `${count(cells.find((cell) => cell.id === by)?.memoryMb ?? Number.NaN)} MB`;
  const [cheapest, fastest, balanced] = (["cheapest", "fastest", "balanced"] as const).map(
    (name) => {
      const race = races.find((each) => each.name === name);
      return { isChosen: race?.chosen?.id === id, exit: lastExit(race, id) };
    },
  );
  if (cheapest?.exit?.why === "failed" || fastest?.exit?.why === "failed") {
    return "its calls failed in most environments";
  }
  const chosen = [
    ...(cheapest?.isChosen ? ["cheapest"] : []),
    ...(fastest?.isChosen ? ["fastest"] : []),
    ...(balanced?.isChosen ? ["balanced"] : []),
  ];
  const reason = (exit: Exit | undefined, worse: string, better: string) => {
    if (exit === undefined) return [];
    if (exit.why === "beaten") return [`${worse} than ${sizeOf(exit.by)}`];
    return [`at most ${shareText(tolerance)} ${better} than ${sizeOf(exit.by)}`];
  };
  const [ofCost, ofTime] = [cheapest?.exit, fastest?.exit];
  const isBeatenByOne =
    ofCost?.why === "beaten" && ofTime?.why === "beaten" && ofCost.by === ofTime.by;
  const reasons = isBeatenByOne
    ? [`slower and more expensive than ${sizeOf(ofCost.by)}`]
    : [...reason(ofCost, "more expensive", "cheaper"), ...reason(ofTime, "slower", "faster")];
  const found = chosen.length === 0 ? [] : [`decided to be the ${chosen.join(" and ")} size`];
  return [...found, ...reasons].join(", ");
}

function lastExit(race: Race<SizeCriterion> | undefined, id: string): Exit | undefined {
  return race?.exits.findLast((exit) => exit.id === id);
}

/** Returns `128 MB dropped after 9 environments: slower and more expensive than 512 MB`. */
export function exitText({ cell, isOneOfSeveral, environments, why }: Leaving): string {
  const name = `${isOneOfSeveral ? `${cell.variant} at ` : ""}${count(cell.memoryMb)} MB`;
  return `${name} dropped after ${plural(environments, "environment")}: ${why}`;
}

/** Lists the dropped sizes, and when they were dropped. */
export function droppedBlocks(view: ReportView): readonly Block[] {
  const rows = droppedEarly(view);
  if (rows.length === 0) return [];
  return [
    makeTable<Leaving>(
      {
        id: "dropped-sizes",
        caption:
          "Sizes that were dropped before the end of the run. Their samples count like all others.",
      },
      [
        ...cellColumns<Leaving>(view, ({ cell }) => cell),
        numberColumn("Environments", ({ environments }) => count(environments)),
        proseColumn("Dropped because", ({ why }) => why),
      ],
      rows,
    ),
  ];
}

/** Returns `312 instead of the 468 that every size to the end would have taken (33% fewer). 128 MB: dropped ...`. */
export function savingText(view: ReportView): string | undefined {
  const { sizeChoices } = view;
  if (sizeChoices === undefined) return undefined;
  const { calls, callsOfAll } = sizeChoices;
  const dropped = droppedEarly(view).map(exitText);
  if (dropped.length === 0) return `${count(calls)}; no size was dropped before the end.`;
  const saved = percent(1 - calls / callsOfAll);
  return `${count(calls)} instead of the ${count(callsOfAll)} that every size to the end would have taken (${saved} fewer). ${dropped.join("; ")}.`;
}

/** Says why a run that chooses sizes ended. */
export function sizeChoiceNote(view: ReportView): readonly Note[] {
  const { sizeChoices, plan, manifest } = view;
  if (sizeChoices === undefined || plan.stopping === undefined) return [];
  const { choices, undecided, kept, tolerance } = sizeChoices;
  const { endedBy } = manifest.stopping ?? {};
  const after = ` after ${plural(plan.sizes.environments, "environment")} per size,`;
  const within = `to within ${shareText(tolerance)}`;
  if (undecided === 0 && kept === 0) {
    const lead = strong("Stopped once every pick was decided:");
    return [remark([lead, `${after} all ${choices} are known ${within}.`])];
  }
  const where =
    endedBy === undefined || endedBy === "precision"
      ? ""
      : ` at ${boundText(endedBy, plan.stopping)},`;
  const what = undecided === 0 ? "every limit was judged" : "every pick was decided";
  const rest =
    undecided === 0
      ? `, but whether ${plural(kept, "size is", "sizes are")} within the limits is not.`
      : "; all sizes still in question are named.";
  const found = `${after} ${decidedText(choices, undecided)} ${within}${rest}`;
  const ending = `${where} before ${what}`;
  return [warning([strong(`Stopped${ending}:`), found], `stopped${ending}`)];
}

/** Returns `1 of 3 picks is decided`: the picks are the cheapest, the balanced and the fastest size of each function. */
export function decidedText(choices: number, undecided: number): string {
  const decided = choices - undecided;
  if (decided === 0) return `none of ${choices} picks is decided`;
  if (undecided === 0) return `all ${choices} picks are decided`;
  return `${decided} of ${choices} picks ${decided === 1 ? "is" : "are"} decided`;
}

/** Returns the caption of the table of chosen sizes. */
export function racedCaption({ sizeChoices }: ReportView): string {
  const { tolerance = 0 } = sizeChoices ?? {};
  return `Which size to take: one size is named if no other is better by more than ${shareText(tolerance)}, with 95% confidence; of sizes that close, it is the smallest. Otherwise all sizes that may still be the best are named.`;
}
