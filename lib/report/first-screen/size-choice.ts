import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { SizeCriterion, VariantSizes } from "../../analysis/size-choice.ts";
import type { SizeRatio } from "../../statistics/size-ratio.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import { strong, type Text } from "../document/document.ts";
import { dollarsText, measureText, plural, ratioText, shareText } from "../document/format.ts";
import { howRunLost } from "../lost-calls-text.ts";
import { savingText } from "../section/size-choice.ts";
import { joined, joinedSizes } from "./number-phrases.ts";

const criteria: readonly SizeCriterion[] = ["cheapest", "fastest", "balanced"];

/** Describes the sizes chosen for a variant, with their figures, or those with no clear winner. */
export function sizesText(view: ReportView, variant: string): readonly string[] {
  const sizes = view.sizeChoices?.variants.find((each) => each.variant === variant);
  if (sizes === undefined) return [];
  const decided = criteria.flatMap((name) => chosenText(view, sizes, name));
  const label = variantLabel(view.subject, variant);
  // The first entry is the initial state, and each look adds one.
  if (sizes.stints.length < 2) {
    return [`No size of ${label} is chosen: the run ended before it compared any.`];
  }
  const open = criteria.flatMap((name) => openText(view, label, sizes, name));
  return [
    ...(decided.length === 0 ? [] : [`${label} is ${joined(decided)}.`]),
    ...lostText(view, sizes),
    ...open,
    ...(open.length === 0 ? [] : neededText(sizes)),
  ];
}

/** Returns the calls that were lost at a size that is left out of the recommendation for them. */
function lostAt({ recommendation }: ReportView, id: string): number | undefined {
  return recommendation?.leftOut?.find(({ cell }) => cell.id === id)?.lost;
}

/** Returns which of the chosen sizes are not recommended, as their figures are those of their other calls alone. */
function lostText(view: ReportView, { races }: VariantSizes): readonly string[] {
  const ids = [...new Set(races.flatMap((race) => race.chosen?.id ?? []))];
  return ids.flatMap((id) => {
    const lost = lostAt(view, id);
    const names = races.filter((race) => race.chosen?.id === id).map(({ name }) => name);
    return lost === undefined
      ? []
      : [
          `${labelOf(view, id)} would be the ${joined(names)} by its other calls, but is not recommended: ${plural(lost, "call")} ${howRunLost(view.manifest)}.`,
        ];
  });
}

/** Returns `cheapest at 512 MB ($2.10 [2.05, 2.15] per million calls)`. */
function chosenText(view: ReportView, sizes: VariantSizes, name: SizeCriterion): string[] {
  const { chosen } = sizes.races.find((race) => race.name === name) ?? {};
  if (chosen === undefined || lostAt(view, chosen.id) !== undefined) return [];
  return [`${name} at ${labelOf(view, chosen.id)}${figureText(view, sizes, name, chosen.id)}`];
}

function figureText(
  view: ReportView,
  { variant, operation }: VariantSizes,
  name: SizeCriterion,
  id: string,
): string {
  if (name === "cheapest") {
    const ofVariant = view.recommendation?.variants.find((each) => each.variant === variant);
    const size = ofVariant?.sizes.find(({ cell }) => cell.id === id);
    if (size?.usdPerMillion === undefined) return "";
    return ` ($${dollarsText(size.usdPerMillion, size.usdInterval)} per million calls)`;
  }
  if (name === "balanced") return "";
  const warm = view.rows.warm.find(
    (series) => series.cell.id === id && series.operation === operation,
  );
  return warm === undefined ? "" : ` (${measureText(warm.durationMs)} ms per warm call)`;
}

/** Words around a ratio: `512 MB` costs 0.97 [0.88, 1.07] times as much as `1,024 MB`. */
const comparing = {
  cheapest: ["costs", "as much as"],
  fastest: ["takes", "as long as"],
  balanced: ["is at", "the cost and time, in equal parts, of"],
} as const;

/** Returns `No clear winner for the cheapest size of handler between 512 MB and 1,024 MB; 512 MB costs ...`. */
function openText(
  view: ReportView,
  label: string,
  { races }: VariantSizes,
  name: SizeCriterion,
): string[] {
  const race = races.find((each) => each.name === name);
  if (race === undefined || race.chosen !== undefined || race.left.length < 2) return [];
  const [first, second] = race.left;
  const ratio = race.against.find(({ id }) => id === second);
  const between = joinedSizes(
    race.left
      .map((id) => ({ id, memoryMb: findCell(view, id)?.memoryMb ?? 0 }))
      .toSorted((one, other) => one.memoryMb - other.memoryMb)
      .map(({ id }) => labelOf(view, id)),
  );
  const [verb, than] = comparing[name];
  const compared =
    first === undefined || ratio?.low === undefined
      ? ""
      : `; ${labelOf(view, first)} ${verb} ${timesText(ratio)} times ${than} ${labelOf(view, ratio.id)}`;
  return [`No clear winner for the ${name} size of ${label} between ${between}${compared}.`];
}

/** Explains why a run that ended early decided so little. */
function neededText({ blocksNeeded, stints }: VariantSizes): readonly string[] {
  if (blocksNeeded === undefined) return [];
  const blocks = stints.at(-1)?.from ?? 0;
  return [
    `After ${plural(blocks, "environment")} per size, only sizes that are far behind are ruled out: a pick needs ${blocksNeeded}, because fewer may not include calls that are rare and long.`,
  ];
}

function timesText({ blocks, ...ratio }: SizeRatio): string {
  const counts = {
    environments: blocks,
    baselineEnvironments: blocks,
    verdict: "undecided" as const,
  };
  return ratioText({ ...ratio, ...counts });
}

function findCell({ plan }: ReportView, id: string) {
  return plan.cells.find((cell) => cell.id === id);
}

function labelOf(view: ReportView, id: string): string {
  const cell = findCell(view, id);
  return cell === undefined ? id : sizeLabel(view, cell);
}

/** Returns items on the tolerance of the choices and on the calls saved by dropping sizes. */
export function sizeItems(view: ReportView): readonly Text[] {
  const saving = savingText(view);
  if (view.sizeChoices === undefined || saving === undefined) return [];
  const { tolerance, coldShare } = view.sizeChoices;
  const isOther = coldShare !== view.recommendation?.coldShare;
  const traffic = isOther ? `, at the ${shareText(coldShare)} cold that the run chose for` : "";
  return [
    [
      strong("Chosen to:"),
      ` ${shareText(tolerance)}${traffic}: no other size is better by more than that (95% confidence); of sizes that close, the smallest is named.`,
    ],
    [strong("Calls:"), ` ${saving}`],
  ];
}
