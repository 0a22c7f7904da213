/** What stands where nothing was measured. Never 0. */
export const missing = "–";

/** Decimals that show three significant digits of a value, and no more than three decimals. */
export function decimalsFor(value: number): number {
  const size = Math.abs(value);
  if (size >= 99.95) return 0;
  if (size >= 9.995) return 1;
  return size >= 0.9995 ? 2 : 3;
}

/**
 * Three significant digits; whole numbers above 100. Undefined is the sign for missing. Without
 * groups of digits: the comma between an interval's bounds must be the only one.
 */
export function number(value: number | undefined, decimals?: number): string {
  if (value === undefined || !Number.isFinite(value)) return missing;
  return value.toFixed(decimals ?? decimalsFor(value));
}

/** A whole count, in groups of three digits: the same on every machine, whatever its locale. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export function percent(share: number, decimals = 0): string {
  return `${(share * 100).toFixed(decimals)} %`;
}
