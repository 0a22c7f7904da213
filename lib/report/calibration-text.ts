import type { OnLambda } from "../analysis/on-lambda.ts";
import type { Calibration } from "../contract/types/contract.ts";
import type { NamedFactor } from "../prediction/expectation.ts";
import { rangeAround } from "../prediction/spread.ts";
import { number, plural } from "./document/format.ts";

/** Returns `20260102T0304Z-a1b2c3 of 2026-01-02 (arm64)`. */
export function calibrationName({
  awsRunId,
  awsRunAt,
  architectures,
}: Pick<Calibration, "awsRunId" | "awsRunAt" | "architectures">): string {
  return `${awsRunId} of ${awsRunAt.slice(0, 10)} (${architectures.join(", ")})`;
}

/** Returns `, calibrated with 20260102T0304Z-a1b2c3 of 2026-01-02 (arm64)`, or an empty text without a calibration. */
export function calibratedText({ calibration }: Pick<OnLambda, "calibration">): string {
  if (calibration === undefined) return "";
  const how = calibration.isPartial ? "in part calibrated" : "calibrated";
  return `, ${how} with ${calibrationName(calibration)}`;
}

const parts: Readonly<Record<NamedFactor["part"], string>> = {
  init: "Init",
  first: "first requests",
  warmed: "first requests after an Init that made one",
  warm: "warm calls",
  compute: "computing",
};
const families: Readonly<Record<NamedFactor["family"], string>> = {
  native: "native functions",
  python: "Python",
  node: "Node.js",
};
const works: Readonly<Record<NonNullable<NamedFactor["work"]>, string>> = {
  service: " that make a few requests",
  "fan-out": " that make about a hundred requests",
  compute: "",
};

/** Returns, for example, `Init, Python: 1.21 times as long as by the published figures (2 functions, 6 calls); ...`. */
export function factorText({
  part,
  family,
  work,
  factor,
  functions,
  calls,
  spread,
}: NamedFactor): string {
  const label = `${parts[part]}, ${families[family]}${work === undefined || part === "compute" ? "" : works[work]}`;
  const from = `${plural(functions, "function")}, ${plural(calls, "call")}`;
  const { high } = rangeAround(1, spread, 0);
  return `${label}: ${number(factor, 2)} times as long as by the published figures (${from}); 90% of other functions within ${number(high, 2)} times of that`;
}
