import type { Comparison } from "../../analysis/comparisons.ts";
import { findEffects } from "../../analysis/findings.ts";
import { lostCalls } from "../../analysis/gate.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { shortLabel, sizeLabel } from "../document/cell-labels.ts";
import { number, shareText } from "../document/format.ts";
import { lostText } from "../lost-calls-text.ts";
import { joined } from "./number-phrases.ts";
import { soundComparisons, unsoundTexts } from "./sound-comparisons.ts";
import { warmOperation } from "./warm-operation.ts";

/**
 * Returns the last line of a run on a terminal, modelled on hyperfine's: which variant ran faster and by how much,
 * with the 95% CI, if that is proven; or why nothing can be compared. Undefined if there is nothing to compare.
 */
export function lastLine(view: ReportView): string | undefined {
  const comparison = comparedText(view);
  if (comparison !== undefined) return [...lostTexts(view), comparison].join(" ");
  const texts = unsoundTexts(view);
  return texts.length === 0 ? undefined : texts.join(" ");
}

/** Counts the calls that failed or were wrong: whatever was compared, it was not they. */
function lostTexts({ manifest }: ReportView): readonly string[] {
  const lost = manifest.target === "imported" ? [] : lostCalls(manifest.counts);
  return lost.length === 0
    ? []
    : [`${lost.map(lostText).join("; ")}: no time or ratio counts them.`];
}

function comparedText(view: ReportView): string | undefined {
  const warm = warmOperation(view);
  const ofWarm = comparedOf(view, "warm", "durationMs").filter(
    ({ operation }) => operation === warm?.operation,
  );
  if (ofWarm.length > 0) return outcome(view, ofWarm, { verb: "ran", call: `warm ${warm?.name}` });
  const ofCold = comparedOf(view, "cold", "initAndDurationMs");
  if (ofCold.length === 0) return undefined;
  return outcome(view, ofCold, { verb: "started", call: "cold start" });
}

function comparedOf(
  view: ReportView,
  phase: Comparison["phase"],
  quantity: Comparison["quantity"],
): readonly Comparison[] {
  return view.variants
    .filter((variant) => variant !== view.subject.baselineVariant)
    .flatMap((variant) => soundComparisons(view, variant, phase, quantity));
}

interface Phrases {
  readonly verb: string;
  readonly call: string;
}

/** Returns `py ran 1.67× [1.60, 1.74] faster than py2 here (warm call, 128 MB).` */
function outcome(
  view: ReportView,
  compared: readonly Comparison[],
  { verb, call }: Phrases,
): string {
  const place = places[view.manifest.target];
  const baseline = shortLabel(view, view.subject.baselineVariant);
  const { effects, equivalent } = findEffects(compared);
  const [strongest] = effects;
  if (strongest === undefined) {
    const others = [...new Set(compared.map(({ cell }) => shortLabel(view, cell.variant)))];
    if (equivalent.length < compared.length) {
      return `Cannot tell ${joined(others, "or")} from ${baseline}${place} (${call}).`;
    }
    return `${joined([baseline, ...others])} ${verb} alike${place}: the same within ${shareText(view.margin)} (${call}).`;
  }
  const { most, direction } = strongest;
  const { cell } = most.comparison;
  const variant = shortLabel(view, cell.variant);
  const [first, second] = direction === "faster" ? [variant, baseline] : [baseline, variant];
  const times = `${number(most.times, 2)}× [${number(most.low, 2)}, ${number(most.high, 2)}]`;
  const size = view.sizes.length > 1 ? `, ${sizeLabel(view, cell)}` : "";
  return `${first} ${verb} ${times} faster than ${second}${place} (${call}${size}).`;
}

const places = { aws: " on Lambda", local: " here", fake: "", imported: "" } as const;
