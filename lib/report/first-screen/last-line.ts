import { lostCalls } from "../../analysis/gate.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { plain } from "../document/document.ts";
import { lostText } from "../lost-calls-text.ts";
import type { Answer } from "./first-screen.ts";
import { unsoundTexts } from "./sound-comparisons.ts";

/**
 * Returns the last line of a run on a terminal, as hyperfine ends: what is decided most strongly, or why nothing can
 * be compared. Undefined if there is nothing to compare, or if the screen above says it.
 */
export function lastLine(
  view: ReportView,
  { strongest, shown }: Pick<Answer, "strongest" | "shown">,
): string | undefined {
  const texts = strongest === undefined ? unsoundTexts(view) : [...lostTexts(view), strongest];
  const unsaid = texts.filter((text) => !shown.some((each) => plain(each) === plain(text)));
  return unsaid.length === 0 ? undefined : unsaid.map(plain).join(" ");
}

/** Counts the calls that failed or were wrong: whatever was compared, it was not they. */
function lostTexts({ manifest }: ReportView): readonly string[] {
  const lost = manifest.target === "imported" ? [] : lostCalls(manifest.counts);
  return lost.length === 0
    ? []
    : [`${lost.map(lostText).join("; ")}: no time or ratio counts them.`];
}
