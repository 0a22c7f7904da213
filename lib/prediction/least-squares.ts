/** Returns the residuals for positive parameters. */
type Residuals = (parameters: readonly number[]) => readonly number[];

const mostSteps = 40;
const stepInLog = 1e-4;
const closeEnough = 1e-9;
/** The most that a parameter may move from its start, in e-folds: residuals may push it towards 0 without end. */
const widestLog = 7;

/**
 * Returns the positive parameters with the least sum of squared residuals, by Levenberg's damped Gauss-Newton steps
 * on the parameters' logarithms.
 */
export function leastSquares(start: readonly number[], residuals: Residuals): readonly number[] {
  const origin = start.map(Math.log);
  const at = (logs: readonly number[]) => residuals(logs.map(Math.exp));
  let logs: readonly number[] = origin;
  let best = at(logs);
  let damping = 1e-3;
  for (let step = 0; step < mostSteps; step += 1) {
    const move = gaussNewtonStep(logs, best, at, damping);
    const next = logs.map((log, index) => clampNear(log + (move[index] ?? 0), origin[index] ?? 0));
    const found = at(next);
    const gain = sumOfSquares(best) - sumOfSquares(found);
    if (gain > 0) {
      [logs, best, damping] = [next, found, damping / 10];
      if (gain < closeEnough) break;
    } else {
      damping *= 10;
    }
  }
  return logs.map(Math.exp);
}

function clampNear(log: number, origin: number): number {
  return Math.min(origin + widestLog, Math.max(origin - widestLog, log));
}

function sumOfSquares(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}

function gaussNewtonStep(
  logs: readonly number[],
  residuals: readonly number[],
  at: (logs: readonly number[]) => readonly number[],
  damping: number,
): readonly number[] {
  const slopes = logs.map((log, index) => {
    const moved = at(logs.with(index, log + stepInLog));
    return residuals.map((residual, row) => ((moved[row] ?? 0) - residual) / stepInLog);
  });
  const product = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, row) => sum + value * (b[row] ?? 0), 0);
  const matrix = slopes.map((own, row) =>
    slopes.map((other, column) => product(own, other) + (row === column ? damping : 0)),
  );
  return solve(
    matrix,
    slopes.map((own) => -product(own, residuals)),
  );
}

/** Solves linear equations by Gaussian elimination. The damping keeps the matrix from being singular. */
function solve(
  matrix: readonly (readonly number[])[],
  right: readonly number[],
): readonly number[] {
  const [first, ...rest] = matrix.map((row, index) => [...row, right[index] ?? 0]);
  if (first === undefined) return [];
  const [pivot = 1, ...tail] = first;
  const reduced = rest.map(([lead = 0, ...row]) =>
    row.map((value, index) => value - (lead / pivot) * (tail[index] ?? 0)),
  );
  const others = solve(
    reduced.map((row) => row.slice(0, -1)),
    reduced.map((row) => row.at(-1) ?? 0),
  );
  const known = others.reduce((sum, value, index) => sum + value * (tail[index] ?? 0), 0);
  return [((tail.at(-1) ?? 0) - known) / pivot, ...others];
}
