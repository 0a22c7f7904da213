import type { Sample } from "../../../lib/contract/types/contract.ts";

// The report's figures worked out a second time, from the samples and without the rooms under test.

export function kept(samples: readonly Sample[], cellId: string, phase: string, operation: string) {
  return samples.filter(
    (sample) =>
      sample.cell.id === cellId &&
      sample.phase === phase &&
      sample.operation === operation &&
      sample.rejected === undefined,
  );
}

export function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  const above = sorted[Math.floor(half)] as number;
  return sorted.length % 2 === 1 ? above : ((sorted[half - 1] as number) + above) / 2;
}

export function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** One mean a block: the fixture makes one environment of every cell in each. */
export function environmentAverages(
  samples: readonly Sample[],
  metricOf: (sample: Sample) => number,
): readonly number[] {
  return byEnvironment(samples, metricOf).map(average);
}

/** One median a block, as above. */
export function environmentMiddles(
  samples: readonly Sample[],
  metricOf: (sample: Sample) => number,
): readonly number[] {
  return byEnvironment(samples, metricOf).map(middle);
}

/** The mean over environments of what each call was billed, ms: one environment a block, as above. */
export function averageBilledMs(samples: readonly Sample[]): number {
  return average(byEnvironment(samples, billedOf).map(average));
}

export function billedOf(sample: Sample): number {
  return sample.telemetry?.billedDurationMs as number;
}

function byEnvironment(
  samples: readonly Sample[],
  metricOf: (sample: Sample) => number,
): readonly (readonly number[])[] {
  const blocks = [...new Set(samples.map((sample) => sample.block))];
  return blocks.map((block) => samples.filter((sample) => sample.block === block).map(metricOf));
}

export function durationOf(sample: Sample): number {
  return sample.telemetry?.durationMs as number;
}

/** Three significant digits, whole above 100, as `12.3 [11.9, 12.8]`: the mean, and the ends of its subsets' means. */
export function printed(values: readonly number[]): string {
  const means: number[] = [];
  for (let subset = 1; subset < 2 ** values.length; subset++) {
    means.push(average(values.filter((_, index) => (subset >> index) & 1)));
  }
  means.sort((a, b) => a - b);
  const at = (share: number) => {
    const rank = share * (means.length + 1) - 1;
    const below = means[Math.floor(rank)] as number;
    return below + (rank % 1) * ((means[Math.ceil(rank)] as number) - below);
  };
  const value = average(values);
  const text = (figure: number) => figure.toFixed(decimalsOf(value));
  return `${text(value)} [${text(at(0.025))}, ${text(at(0.975))}]`;
}

/** As printed, of the median: six to eight values' range, of nine to eleven without its ends. */
export function printedMedian(values: readonly number[]): string {
  const value = middle(values);
  const sorted = [...values].sort((a, b) => a - b);
  const end = values.length < 9 ? 1 : 2;
  const at = (index: number) => (sorted.at(index) as number).toFixed(decimalsOf(value));
  return `${value.toFixed(decimalsOf(value))} [${at(end - 1)}, ${at(-end)}]`;
}

function decimalsOf(value: number): number {
  return value >= 99.95 ? 0 : value >= 9.995 ? 1 : value >= 0.9995 ? 2 : 3;
}
