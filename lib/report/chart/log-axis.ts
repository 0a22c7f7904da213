/** A logarithmic axis: where it begins and ends, and the values written at it. */
export interface LogAxis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

/** Steps of a decade, from coarse to fine. */
const stepsPerDecade = [
  [1],
  [1, 3],
  [1, 2, 5],
  [1, 1.5, 2, 3, 5, 7],
  [1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 4, 5, 6, 7, 8, 9],
];
const fewestTicks = 4;
const mostDecades = 10;
const smallestPlotted = 1e-12;
const largestPlotted = 1e15;

/** Whether an axis reaches to the value: beyond it, ticks have no digits left to tell them apart. */
export function plottable(value: number): boolean {
  return value >= smallestPlotted && value <= largestPlotted;
}

/**
 * An axis over positive values, with a little room at either end and four ticks or more. Values too
 * small or too large to be plotted, and what is no number, do not stretch it.
 */
export function logAxis(values: readonly number[], room = 0.06): LogAxis {
  const positive = values.filter(plottable);
  if (positive.length === 0) return { min: 1, max: 10, ticks: [1, 2, 5, 10] };
  const least = positive.reduce((a, b) => Math.min(a, b));
  const most = positive.reduce((a, b) => Math.max(a, b));
  // A single value still gets an axis, from three quarters of it to four thirds.
  const span = Math.max(Math.log(most / least), Math.log(16 / 9));
  const middle = (Math.log(least) + Math.log(most)) / 2;
  const half = span / 2 + span * room;
  const min = Math.exp(middle - half);
  const max = Math.exp(middle + half);
  const choices = stepsPerDecade.map((steps) => ticksWithin(min, max, steps));
  const ticks = choices.find((choice) => choice.length >= fewestTicks) ?? choices.at(-1) ?? [];
  return { min, max, ticks };
}

function ticksWithin(min: number, max: number, steps: readonly number[]): readonly number[] {
  const ticks: number[] = [];
  const first = Math.floor(Math.log10(min));
  const last = Math.ceil(Math.log10(max));
  const stride = Math.ceil((last - first) / mostDecades);
  for (let power = first; power <= last; power += stride) {
    for (const step of steps) {
      // By text, because 3 * 10 ** -1 is 0.30000000000000004.
      const value = Number(`${step}e${power}`);
      if (value >= min && value <= max) ticks.push(value);
    }
  }
  return ticks;
}

/** A tick's text: no more digits than its value has. */
export function tickText(value: number): string {
  return String(Number(value.toPrecision(6)));
}
