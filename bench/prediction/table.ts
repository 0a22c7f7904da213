import {
  errorFactor,
  type Prediction,
  type PredictionKind,
  type PredictionStudy,
  score,
} from "../../lib/analysis/prediction.ts";

const kinds: Readonly<Record<PredictionKind, string>> = {
  memory: "how a time changes with memory",
  variants: "ratios between variants",
  instructions: "ratios where one processor has SHA instructions and the other has not",
  milliseconds: "milliseconds of a Duration",
  init: "milliseconds of an Init",
};

/** Three significant digits, and no exponent. */
function figure(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function isOfFirstRequest({ what }: Prediction): boolean {
  return /\bfirst\b/.test(what);
}

function scoreRow(name: string, predictions: readonly Prediction[], isRatio: boolean): string {
  const { n, meanFactor, worst, rightSide } = score(predictions);
  const sides = isRatio ? `${rightSide} of ${n}` : "–";
  return `| ${name} | ${n} | ${figure(meanFactor)} | ${figure(errorFactor(worst))} (${worst.what}) | ${sides} |`;
}

function predicted({ predicted, interval }: Prediction): string {
  if (interval === undefined) return figure(predicted);
  return `${figure(predicted)} (${figure(interval.low)} to ${figure(interval.high)})`;
}

/** What docs/prediction.md has between marks of these names: what ran, the scores, and every figure. */
export function predictionTables(
  study: PredictionStudy,
): Readonly<Record<"study" | "scores" | "figures", readonly string[]>> {
  const { predictions } = study;
  const present = (Object.keys(kinds) as PredictionKind[]).filter((kind) =>
    predictions.some((each) => each.kind === kind),
  );
  const scores = present.flatMap((kind) => {
    const of = predictions.filter((each) => each.kind === kind);
    const isRatio = kind !== "milliseconds" && kind !== "init";
    const row = (name: string, these: readonly Prediction[]) => scoreRow(name, these, isRatio);
    if (kind !== "variants") return row(kinds[kind], of);
    return [
      row(kinds[kind], of),
      row("of these, first requests", of.filter(isOfFirstRequest)),
      row(
        "of these, warm calls",
        of.filter((each) => !isOfFirstRequest(each)),
      ),
    ];
  });
  const figures = predictions.map(
    (each) =>
      `| ${each.what} | ${figure(each.observed)} | ${predicted(each)} | ${figure(errorFactor(each))} |`,
  );
  return {
    study: [
      `- Machine: ${study.machine}. ${study.versions}.`,
      `- Network: ${study.network}.`,
      `- New environments a cell: ${study.environments}.`,
      `- Calibration: a million chained SHA-256 in Python on one core take ${study.calibrationMs} ms here; on Lambda at 1,769 MB 335 to 381 ms on arm64 and 368 to 386 ms on x86_64 (means of cold and warm calls in another public benchmark, us-east-2, December 2025).`,
    ],
    scores: [
      "| kind of figure | figures | error factor, geometric mean | largest | on the right side of 1 |",
      "| --- | ---: | ---: | --- | ---: |",
      ...scores,
    ],
    figures: [
      "| figure | observed on Lambda | predicted here (95 % CI) | error factor |",
      "| --- | ---: | ---: | ---: |",
      ...figures,
    ],
  };
}
