import type { BreakEven } from "../../analysis/break-even.ts";
import { isTie, isTooFew } from "../../analysis/findings.ts";
import type {
  AgainstOther,
  Best,
  Recommendation,
  SizeCost,
  VariantChoice,
} from "../../analysis/recommendation.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { cellColumns, sizeLabel } from "../document/cell-labels.ts";
import {
  type Block,
  code,
  heading,
  makeTable,
  numberColumn,
  paragraph,
  proseColumn,
  rowHeader,
  type Table,
  textColumn,
  verdictColumn,
} from "../document/document.ts";
import { count, dollarsText, missing, number, percent, shareText } from "../document/format.ts";
import { droppedBlocks, racedCaption } from "./size-choice.ts";

/** Recommends a size for each variant, and shows what the others cost extra and what each costs per month. */
export function recommendationSection(view: ReportView): readonly Block[] {
  const { recommendation } = view;
  if (recommendation === undefined) return [];
  return [
    heading(
      2,
      "Which size to take",
      recommendation.variants
        .map(
          ({ variant, cheapest, fastest }) =>
            `${variantLabel(view.subject, variant)}: cheapest ${bestText(view, cheapest)}, fastest ${bestText(view, fastest)}`,
        )
        .join("; ")
        .concat("."),
    ),
    paragraph(basis(view, recommendation)),
    choiceTable(view, recommendation.variants),
    ...droppedBlocks(view),
    sizeTable(view, recommendation),
    ...breakEvenBlocks(view, recommendation.breakEvens),
  ];
}

function listOperations({ variants }: Recommendation): string {
  return [...new Set(variants.map(({ operation }) => operation))].join(", ");
}

/** Returns the best size if it is decided. Otherwise, returns the candidates and why none is. */
function bestText(view: ReportView, best: Best): string {
  switch (best.kind) {
    case "decided":
      return sizeLabel(view, best.cell);
    case "undecided": {
      const sizes = best.among.map((cell) => sizeLabel(view, cell)).join("; ");
      if (isTie(best)) return `the same within ${shareText(view.margin)}: ${sizes}`;
      return `undecided${isTooFew(best) ? " (too few)" : ""}: ${sizes}`;
    }
    case "no-choice":
      return missing;
  }
}

function basis(view: ReportView, recommendation: Recommendation): string {
  const { simulated, plan, manifest } = view;
  const ofMachine = simulated
    ? " Simulated: sizes as this machine distinguishes them, costs as if on AWS."
    : "";
  const mixed =
    manifest.imported === undefined || manifest.imported.logStreams !== undefined
      ? "each environment's cold and warm calls drawn together"
      : "cold and warm calls drawn separately";
  return `Judged by ${listOperations(recommendation)}. Fastest: the lowest mean warm Duration. Cheapest: the lowest mean cost of an invocation, with ${shareText(recommendation.coldShare)} of them cold and billed as the cold ${plan.coldOperation} was, ${mixed}. Balanced: the lowest product of that cost and the mean warm Duration, so that half the time is worth twice the price. The cost table above has the other operations.${ofMachine}`;
}

/** Returns whether the recommendation is the run's own choice. For other traffic, it is computed as usual. */
function isChosenByRun({ sizeChoices, recommendation }: ReportView): boolean {
  return sizeChoices !== undefined && sizeChoices.coldShare === recommendation?.coldShare;
}

function choiceTable(view: ReportView, choices: readonly VariantChoice[]): Table {
  return makeTable<VariantChoice>(
    {
      id: "choice",
      caption: isChosenByRun(view)
        ? racedCaption(view)
        : "Which size to take: one size is named if its verdict against every other size is decided, beyond the margin and, on AWS, the noise floor of the same measure at one of the two sizes; otherwise all sizes that this run cannot tell apart are named.",
    },
    [
      rowHeader("Variant", ({ variant }) => variantLabel(view.subject, variant)),
      textColumn("Operation", ({ operation }) => [code(operation)]),
      proseColumn("Fastest", ({ fastest }) => bestText(view, fastest)),
      proseColumn("Cheapest", ({ cheapest }) => bestText(view, cheapest)),
      proseColumn("Balanced", ({ balanced }) => bestText(view, balanced)),
    ],
    choices,
  );
}

function sizeTable(view: ReportView, recommendation: Recommendation): Table {
  const { coldShare, invocationsPerMonth, variants } = recommendation;
  const calls = `${count(invocationsPerMonth)} calls`;
  const rows = variants.flatMap(({ sizes, cheapest }) =>
    sizes.map((size) => ({
      ...size,
      isChosen: cheapest.kind !== "no-choice",
      isChosenByRun: isChosenByRun(view),
    })),
  );
  return makeTable<SizeRow>(
    {
      id: sizeCostsId,
      rowId: (row) => sizeCostRowId(view, row),
      caption: `Cost of each size at ${shareText(coldShare)} cold, $, from means [95% CI], and what the cheapest size of the same variant saves compared with it [95% CI]: 20% is a fifth of this size's cost. Request fee included, free tier excluded.`,
    },
    [
      ...cellColumns<SizeRow>(view, ({ cell }) => cell),
      numberColumn("$ per million", ({ usdPerMillion, usdInterval }) =>
        dollarsText(usdPerMillion, usdInterval),
      ),
      numberColumn(`$ per month, ${calls}`, ({ usdPerMonth }) => number(usdPerMonth, 2)),
      numberColumn("Cheapest saves", ({ ofCheapest }) => savingText(ofCheapest)),
      verdictColumn("Verdict", savingVerdict),
    ],
    rows,
  );
}

/** Returns the id of the table row with a size's cost. */
export function sizeCostRowId(view: ReportView, { cell }: Pick<SizeCost, "cell">): string {
  const all = (view.recommendation?.variants ?? []).flatMap(({ sizes }) => sizes);
  return `${sizeCostsId}-row-${all.findIndex((size) => size.cell.id === cell.id) + 1}`;
}

/** Id of the table of sizes and their costs. */
export const sizeCostsId = "size-costs";

interface SizeRow extends SizeCost {
  readonly isChosen: boolean;
  readonly isChosenByRun: boolean;
}

function savingText(ofCheapest: AgainstOther | undefined): string {
  if (ofCheapest?.ratio === undefined) return missing;
  const { ratio, low = ratio, high = ratio } = ofCheapest;
  const [middle, least, most] = [1 - ratio, 1 - high, 1 - low].map((share) => percent(share, 1));
  return `${middle} [${least}, ${most}]`;
}

function savingVerdict({ ofCheapest, usdPerMillion, isChosen, isChosenByRun }: SizeRow): string {
  if (!isChosen || usdPerMillion === undefined) return missing;
  if (ofCheapest === undefined) return isChosenByRun ? "chosen" : "lowest mean";
  return ofCheapest.verdict === "faster" ? "costs more" : ofCheapest.verdict;
}

function shareIntervalText({ coldShare, coldShareInterval }: BreakEven): string {
  if (coldShare === undefined) return missing;
  const share = percent(coldShare, 2);
  if (coldShareInterval === undefined) return share;
  const { low, high } = coldShareInterval;
  return `${share} [${percent(low, 2)}, ${percent(high, 2)}]`;
}

/** Shows the cold shares at which variants of one size cost the same. */
function breakEvenBlocks(view: ReportView, breakEvens: readonly BreakEven[]): readonly Block[] {
  if (breakEvens.length === 0) return [];
  const name = (variant: string | undefined) =>
    variant === undefined ? "equal" : variantLabel(view.subject, variant);
  const baseline = variantLabel(view.subject, view.subject.baselineVariant);
  return [
    makeTable<BreakEven>(
      {
        id: "break-even",
        caption: `Break-even with ${baseline}: the share of cold invocations at which both cost the same, from means [95% CI, cut off at 0 and 100%]; no interval where there are too few environments, or where the run cannot tell which of the two gains from more cold starts. ${missing}: at no share between 0 and 100%.`,
      },
      [
        ...cellColumns<BreakEven>(view, ({ cell }) => cell),
        textColumn("Operation", ({ operation }) => [code(operation)]),
        textColumn("Cheaper, all warm", ({ cheaperWarm }) => name(cheaperWarm)),
        textColumn("Cheaper, all cold", ({ cheaperCold }) => name(cheaperCold)),
        numberColumn("Equal at cold share", shareIntervalText),
      ],
      breakEvens,
    ),
  ];
}
