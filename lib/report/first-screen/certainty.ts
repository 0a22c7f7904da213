import { hasDeployments } from "../../analysis/cell-pairs.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { count, plural, shareText } from "../document/format.ts";
import { machineText } from "../section/busy-machine.ts";
import { importedPlace } from "../section/imported.ts";

/** States how much was measured and where, and the threshold for reporting a difference. */
export function certaintyText(view: ReportView): string {
  const { margin, comparisons } = view;
  if (view.onLambda !== undefined) {
    return `${sizeText(view)}${placeText(view)}; check on AWS before quoting milliseconds.`;
  }
  if (view.plan.cells.length === 1) return `${sizeText(view)}${placeText(view)}.`;
  const isFloored = comparisons.replicas.length > 0;
  const noise = isFloored && hasDeployments(view.plan) ? " or A/A noise" : "";
  const pair = isFloored || view.manifest.imported !== undefined ? "" : "; no A/A pair was run";
  return `${sizeText(view)}${placeText(view)}; differences under ${shareText(margin)}${noise} don't count${pair}.`;
}

function sizeText(view: ReportView): string {
  if (view.manifest.imported !== undefined) {
    const { streams, samplesWithout } = view.manifest.imported.logStreams ?? {};
    const haveStreams = streams !== undefined && samplesWithout === 0;
    const environments = haveStreams ? ` from ${plural(streams, "log stream")}` : "";
    return `n = ${plural(view.manifest.counts.kept, "imported invocation")}${environments}`;
  }
  const sizesOf = (phase: "cold" | "warm"): Sizes =>
    view.rows[phase].map(({ durationMs }) => durationMs);
  const [warm, cold] = [sizesOf("warm"), sizesOf("cold")];
  const starts = environmentsText(cold);
  const measuredOf = (measures: Sizes) => measures.filter(({ n }) => n > 0);
  if (measuredOf(warm).length === 0 && measuredOf(cold).length === 0) return "no call counts";
  const measured = measuredOf(warm).length;
  if (measured === 0) {
    const calls = warm.length === 0 ? "no warm calls were planned" : "no warm call counts";
    return `n = ${environmentsText(cold, "cold start")} each (${calls})`;
  }
  const numbers = measuredOf(warm).map(({ n }) => n);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const calls = least === most ? "" : `${count(least)} to `;
  const own = environmentsText(warm);
  const coldStarts = own === starts ? "" : `, cold starts in ${starts}`;
  const without =
    measured === warm.length ? "" : `, none in ${warm.length - measured} of ${warm.length} series`;
  return `n = ${calls}${plural(most, "warm call")} in ${own} each${without}${coldStarts}`;
}

type Sizes = readonly { readonly n: number; readonly environments: number }[];

/** Returns `8 environments` or `6 to 8 environments`: the fewest and the most of a series. Ignores empty series. */
function environmentsText(measures: Sizes, noun = "environment"): string {
  const all = measures.flatMap(({ environments }) => (environments > 0 ? environments : []));
  const [fewest, most] = [Math.min(...all), Math.max(...all)];
  if (all.length === 0) return `no ${noun}`;
  return fewest === most ? plural(most, noun) : `${count(fewest)} to ${plural(most, noun)}`;
}

function placeText(view: ReportView): string {
  const { region, target, imported } = view.manifest;
  const places = {
    aws: `, on AWS (${region ?? "region not recorded"})`,
    local: `, simulated on ${machineText(view.manifest)}`,
    fake: ", made up by a fake target, not on AWS",
    imported: imported === undefined ? "" : `, from ${importedPlace(imported)}`,
  };
  return places[target];
}
