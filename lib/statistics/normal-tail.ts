/**
 * P(Z > z) of the standard normal distribution, to about 1e-13 relative. Below z = 3 by the
 * series of the error function, above by the continued fraction of its complement, where the
 * series would lose its digits to cancellation (Abramowitz and Stegun 26.2.11 and 26.2.14).
 */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  return z < 3 ? 0.5 - density * centralSeries(z) : density / tailFraction(z);
}

function centralSeries(z: number): number {
  let term = z;
  let sum = z;
  for (let odd = 3; term > sum * 1e-17; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return sum;
}

function tailFraction(z: number): number {
  let fraction = z;
  for (let step = 150; step >= 1; step--) fraction = z + step / fraction;
  return fraction;
}
