import { cheapestChoice } from "../../analysis/findings.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import { type Block, details, type Text } from "../document/document.ts";
import { count, number, usdText } from "../document/format.ts";
import { deeper, foldSections } from "../document/sections.ts";

/** The sections of a report, grouped by the question that they help to answer. */
export interface SectionGroups {
  readonly cold: readonly Block[];
  readonly warm: readonly Block[];
  readonly cost: readonly Block[];
  readonly size: readonly Block[];
  readonly evidence: readonly Block[];
}

/** Folds the groups, each with a takeaway. Omits empty groups. */
export function groupedSections(view: ReportView, groups: SectionGroups): readonly Block[] {
  return [
    ...group("Cold", timeTakeaway(view, "cold"), groups.cold),
    ...group("Warm", timeTakeaway(view, "warm"), groups.warm),
    ...group("Cost", costTakeaway(view), groups.cost),
    ...group("Size", takeawayOf(groups.size), groups.size),
    ...group("Evidence", countsText(view.manifest.counts), groups.evidence),
  ];
}

function group(
  title: string,
  takeaway: Text | undefined,
  blocks: readonly Block[],
): readonly Block[] {
  if (blocks.length === 0) return [];
  const shown = takeaway ?? takeawayOf(blocks);
  const section = { level: 2, ...(shown !== undefined && { takeaway: shown }) } as const;
  return [{ ...details(title, deeper(foldSections(blocks))), section }];
}

/** Returns the takeaway of a group's first section. */
function takeawayOf(blocks: readonly Block[]): Text | undefined {
  const [first] = blocks;
  return first?.kind === "heading" ? first.takeaway : undefined;
}

/** Returns `At 1,769 MB: Rust (tuned build) 20.6 ms, Python (boto3) 11×.`: the extreme means at the largest size. */
function timeTakeaway(view: ReportView, phase: "cold" | "warm"): string | undefined {
  const quantity = phase === "cold" ? "initAndDurationMs" : "durationMs";
  const measured = view.rows[phase].flatMap((series) => {
    const mean = series[quantity]?.mean;
    return mean === undefined ? [] : [{ series, mean }];
  });
  const largest = Math.max(...measured.map(({ series }) => series.cell.memoryMb));
  const [first] = measured.filter(({ series }) => series.cell.memoryMb === largest);
  const ranked = measured
    .filter(
      ({ series }) =>
        series.cell.memoryMb === largest && series.operation === first?.series.operation,
    )
    .toSorted((a, b) => a.mean - b.mean);
  const [least, most] = [ranked[0], ranked.at(-1)];
  if (least === undefined || most === undefined) return undefined;
  const name = ({ series: { cell } }: typeof least) => variantLabel(view.subject, cell.variant);
  const call = phase === "cold" ? "" : ` (${least.series.operation})`;
  const other = least === most ? "" : `, ${name(most)} ${number(most.mean / least.mean, 1)}×`;
  return `At ${sizeLabel(view, least.series.cell)}${call}: ${name(least)} ${number(least.mean)} ms${other}.`;
}

/** Returns `Rust (tuned build) cheapest, $0.21 per million; Python (boto3) 1.3×.` */
function costTakeaway({ recommendation, subject, margin }: ReportView): string | undefined {
  const choice = recommendation && cheapestChoice(recommendation, margin);
  if (choice === undefined) return undefined;
  const { cheapest, dearer } = choice;
  const name = (variant: string) => variantLabel(subject, variant);
  const most = dearer.at(-1);
  const other =
    most === undefined ? "" : `; ${name(most.variant)} ${number(most.multiple.times, 1)}×`;
  return `${name(cheapest.variant)} cheapest, ${usdText(cheapest.size.usdPerMillion)} per million${other}.`;
}

/**
 * Returns `0 rejected; 7,200 warm-up calls set aside.`: the samples that no figure uses. Warm-up calls are always
 * excluded.
 */
export function countsText({ rejected }: ReportView["manifest"]["counts"]): string {
  const all = Object.values(rejected).reduce((sum, n) => sum + n, 0);
  const warmUps = rejected["warm-up"] ?? 0;
  const set = warmUps === 0 ? "" : `; ${count(warmUps)} warm-up calls set aside`;
  return `${count(all - warmUps)} rejected${set}.`;
}
