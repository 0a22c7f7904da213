import { scoreOfKind } from "../../analysis/prediction.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { seriesIn } from "../../analysis/select.ts";
import { count, number, percent, plural } from "../document/format.ts";

/** How much was measured, where, and from what on a difference is called one. */
export function certaintyText(view: ReportView, caution?: string): string {
  const { margin, comparisons } = view;
  const floor =
    comparisons.twins.length > 0
      ? ` or within A/A noise are not called`
      : ` are not called; no A/A pair was run`;
  const sure = `${sizeText(view)}, ${placeText(view)}; differences under ${percent(margin)}${floor}.`;
  return caution === undefined ? sure : `${sure} ${caution}`;
}

function sizeText(view: ReportView): string {
  if (view.manifest.imported !== undefined) {
    const { streams, samplesWithout } = view.manifest.imported.logStreams ?? {};
    const isTold = streams !== undefined && samplesWithout === 0;
    const environments = isTold ? ` from ${plural(streams, "log stream")}` : "";
    return `n = ${count(view.manifest.counts.kept)} imported invocations${environments}`;
  }
  const warm = seriesIn(view, "warm").map(({ durationMs }) => durationMs);
  const cold = environmentsText(seriesIn(view, "cold").map(({ durationMs }) => durationMs));
  if (warm.length === 0) return `n = ${cold} each`;
  const calls = warm.reduce((least, { n }) => Math.min(least, n), Number.POSITIVE_INFINITY);
  const own = environmentsText(warm);
  const apart = own === cold ? "" : `, first calls in ${cold}`;
  return `n = ${count(calls)} warm calls in ${own} each${apart}`;
}

/** `8 environments`, `6 to 8 environments`: of the series that has the fewest, and of the one with the most. */
function environmentsText(measures: readonly { readonly environments: number }[]): string {
  const all = measures.map(({ environments }) => environments);
  const [fewest, most] = [Math.min(...all), Math.max(...all)];
  if (all.length === 0) return "no environment";
  return fewest === most
    ? plural(most, "environment")
    : `${count(fewest)} to ${plural(most, "environment")}`;
}

function placeText({ manifest }: ReportView): string {
  const { machine, region, target } = manifest;
  const places = {
    aws: `measured on AWS Lambda in ${region ?? "a region not recorded"}`,
    local: `simulated on one machine${machine === undefined ? "" : ` (${machine.cpuModel})`}, not on AWS (such runs miss published ratios by a factor of ${number(scoreOfKind("variants").meanFactor, 1)} on average)`,
    fake: "made up by a fake target, not on AWS",
    imported: "from AWS Lambda, as the sources say",
  };
  return places[target];
}
