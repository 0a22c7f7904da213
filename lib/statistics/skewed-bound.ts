import { mean } from "./order-statistics.ts";
import type { Series } from "./series.ts";
import { studentTQuantile } from "./student-t.ts";

/** The tail beyond the upper end of a 95% CI. */
const tail = 0.025;

/**
 * upperBoundOfMean returns the upper end of a mean's 95% CI, or a higher one if the environments' means are skewed to
 * the right. A run of a few environments has then seen too few long ones: its mean and its spread are too small, and
 * the interval ends below the true mean in more than 2.5 of 100 runs. The correction is the first term of the
 * Cornish-Fisher expansion of Student's t (Johnson, "Modified t tests and confidence intervals for asymmetrical
 * populations", JASA 73, 1978).
 */
export function upperBoundOfMean({ units }: Series, high: number): number {
  const means = units.flatMap(({ values }) => mean(values) ?? []);
  const n = means.length;
  const center = mean(means);
  if (n < 3 || center === undefined) return high;
  const sumOf = (power: number) => means.reduce((sum, value) => sum + (value - center) ** power, 0);
  const spread = Math.sqrt(sumOf(2) / (n - 1));
  if (spread === 0) return high;
  const skewness = (n / ((n - 1) * (n - 2))) * (sumOf(3) / spread ** 3);
  const t = studentTQuantile(tail, n - 1);
  const correction = (Math.max(0, skewness) * (2 * t ** 2 + 1)) / (6 * Math.sqrt(n));
  return Math.max(high, center + (spread / Math.sqrt(n)) * (t + correction));
}
