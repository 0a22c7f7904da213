import type { ImportedOrigin, Sample } from "../contract/types/contract.ts";
import { type ReadSource, reasons } from "./source.ts";

/** Rows of Logs Insights may be a selection (`limit`, `sort`), and an average stands for calls that are unknown. */
const formatsOfAllCalls: readonly string[] = ["report", "events", "log-group"];
/** What may be left out of a log without a call being left out. */
const noCalls: readonly string[] = [reasons.otherLine, reasons.initReport, reasons.readBefore];

/**
 * Counts the cold and warm invocations if the sources have every one of their time: the share of cold starts is then
 * the functions' own. Empty if some may be missing, or if a local emulator printed them.
 */
export function everyInvocation(
  sources: readonly ReadSource[],
  samples: readonly Sample[],
): Pick<ImportedOrigin, "everyInvocation"> {
  if (samples.length === 0 || !sources.every(hasEveryCall)) return {};
  const cold = samples.filter(({ phase }) => phase === "cold").length;
  return { everyInvocation: { cold, warm: samples.length - cold } };
}

function hasEveryCall({ format, notTaken, invocations }: ReadSource): boolean {
  return (
    formatsOfAllCalls.includes(format) &&
    [...notTaken.keys()].every((reason) => noCalls.includes(reason)) &&
    !invocations.some(({ isEmulated }) => isEmulated === true)
  );
}
