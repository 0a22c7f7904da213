import {
  type Prediction,
  type PredictionKind,
  type PredictionStudies,
  type PredictionStudy,
  score,
} from "../../lib/analysis/prediction.ts";
import { errorFactor } from "../../lib/prediction/held-out.ts";
import { renderCsv } from "../../lib/report/render/csv.ts";
import { listFirstRequests } from "./first-requests.ts";
import { figure, row } from "./page-table.ts";

const kinds: Readonly<Record<PredictionKind, string>> = {
  memory: "how a time changes with memory",
  variants: "ratios between variants",
  instructions: "ratios where one processor has SHA instructions and the other has not",
  milliseconds: "milliseconds of a Duration",
  init: "milliseconds of an Init",
};

/** One row of the scores, with the figures that it counts. */
interface ScoreRow {
  readonly name: string;
  readonly isRatio: boolean;
  readonly has: (prediction: Prediction) => boolean;
}

/** Kinds of ratios between variants: of a first request's or a warm call's Duration, or of calls to S3. */
type RatioPart = "first" | "warming" | "warm" | "parallel";

const ratioParts: Readonly<Record<RatioPart, RegExp>> = {
  first: /first `.*python over rust/,
  warming: /unwarmed over warmed/,
  warm: /warm `.*python over rust/,
  parallel: /over python-serial/,
};

function isOfPart({ kind, what }: Prediction, part: RatioPart): boolean {
  return kind === "variants" && ratioParts[part].test(what);
}

const partsOfVariants: Readonly<Record<RatioPart, string>> = {
  first: "first requests, Python over Rust",
  warm: "warm calls, Python over Rust",
  warming: "what warming gains",
  parallel: "calls to S3 in parallel over serial ones",
};

const scoreRows = (Object.keys(kinds) as PredictionKind[]).flatMap((kind): readonly ScoreRow[] => {
  const isRatio = kind !== "milliseconds" && kind !== "init";
  const ofKind = (each: Prediction) => each.kind === kind;
  const whole = { name: kinds[kind], isRatio, has: ofKind };
  if (kind !== "variants") return [whole];
  const parts = (Object.keys(partsOfVariants) as RatioPart[]).map((part) => ({
    ...{ name: `of these, ${partsOfVariants[part]}`, isRatio },
    has: (each: Prediction) => isOfPart(each, part),
  }));
  return [whole, ...parts];
});

/** Returns the error factor of each machine and, if there are several, of all machines together. */
function scoreLine(
  { name, isRatio, has }: ScoreRow,
  studies: readonly PredictionStudy[],
): readonly string[] {
  const each = studies.map(({ predictions }) => predictions.filter(has));
  const all = each.flat();
  if (all.length === 0) return [];
  const { n, worst, rightSide } = score(all);
  const figures = new Set(all.map(({ what }) => what)).size;
  const factors = (studies.length > 1 ? [...each, all] : [all]).map((predictions) =>
    predictions.length === 0 ? "–" : figure(score(predictions).meanFactor),
  );
  const sides = isRatio ? `${rightSide} of ${n}` : "–";
  const largest = `${figure(errorFactor(worst))} (${worst.what})`;
  return [row([name, String(figures), ...factors, largest, sides])];
}

/** Returns docs/prediction-measured.csv: every published figure with each machine's prediction. */
export function figuresCsv({ studies }: PredictionStudies): string {
  const names = new Set(studies.flatMap(({ predictions }) => predictions.map(({ what }) => what)));
  const bounds = ["measured", "low", "high"];
  const columns = studies.flatMap(({ machine }) => bounds.map((each) => `${each}: ${machine}`));
  const rows = [...names].map((what) => {
    const found = studies.map(({ predictions }) => predictions.find((each) => each.what === what));
    const cells = found.filter((each) => each !== undefined);
    const measured = found
      .flatMap((each) => [each?.predicted, each?.interval?.low, each?.interval?.high])
      .map((value) => (value === undefined ? undefined : figure(value)));
    const observed = figure(cells[0]?.observed ?? Number.NaN);
    return [what, observed, ...measured, figure(score(cells).meanFactor)];
  });
  return renderCsv(["figure", "published", ...columns, "error_factor"], rows);
}

/** Returns the marked sections of docs/prediction.md, by name: what ran, scores, and first requests. */
export function predictionTables({
  studies,
}: PredictionStudies): Readonly<Record<"study" | "scores" | "first-requests", readonly string[]>> {
  const machines = studies.map(({ machine }) => machine);
  const isOne = machines.length === 1;
  const scored = isOne
    ? ["error factor, geometric mean"]
    : [...machines, "all"].map((name) => `error factor, geometric mean: ${name}`);
  return {
    study: studies.flatMap((study) => [
      `- Machine: ${study.machine}. ${study.versions}.`,
      `  - Network: ${study.network}.`,
      `  - New environments a cell: ${study.environments}. Seeds: ${study.seeds}.`,
      `  - Calibration: a million chained SHA-256 in Python on one core take ${study.calibrationMs} ms; on Lambda at 1,769 MB 335 to 381 ms on arm64 and 368 to 386 ms on x86_64 (means of cold and warm calls in another public benchmark, us-east-2, December 2025).`,
    ]),
    scores: [
      row(["kind of figure", "figures", ...scored, "largest", "on the right side of 1"]),
      row(["---", "---:", ...scored.map(() => "---:"), "---", "---:"]),
      ...scoreRows.flatMap((each) => scoreLine(each, studies)),
    ],
    "first-requests": [
      row(["function", "where", "CPU time, ms", "wait, ms"]),
      row(["---", "---", "---:", "---:"]),
      ...listFirstRequests(studies).map(([language, place, { cpuMs, waitMs }]) =>
        row([language, place, cpuMs.toFixed(0), waitMs.toFixed(0)]),
      ),
    ],
  };
}
