/**
 * Returns the point that Student's t with these degrees of freedom exceeds with probability `tail`, by bisection of
 * the exact distribution for integer degrees (Abramowitz and Stegun 26.7.3 and 26.7.4). Throws RangeError unless
 * `tail` is between 0 and 0.5, both excluded, and `degrees` a whole number from 1.
 */
export function studentTQuantile(tail: number, degrees: number): number {
  if (!(tail > 0 && tail < 0.5)) throw new RangeError(`tail: found ${tail}; allowed: 0 to 0.5`);
  if (!Number.isInteger(degrees) || degrees < 1) {
    throw new RangeError(`degrees: found ${degrees}; allowed: whole numbers from 1`);
  }
  const key = `${tail} ${degrees}`;
  const found = known.get(key) ?? bisected(tail, degrees);
  known.set(key, found);
  return found;
}

/** Cached: a stopping rule needs the same few points at each look. */
const known = new Map<string, number>();

function bisected(tail: number, degrees: number): number {
  let [low, high] = [0, 1];
  while (upperTail(high, degrees) > tail) high *= 2;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (upperTail(middle, degrees) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Returns the probability that t exceeds a point of 0 or more. */
function upperTail(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let power = isOdd ? 3 : 2; power <= degrees - 2; power += 2) {
    term *= ((power - 1) / power) * cosine ** 2;
    sum += term;
  }
  const within = isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
  return (1 - within) / 2;
}
