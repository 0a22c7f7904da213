import type { Multiple } from "../../analysis/findings.ts";
import { count } from "../document/format.ts";

export function joined(items: readonly string[], word = "and"): string {
  return items.length < 2
    ? items.join("")
    : `${items.slice(0, -1).join(", ")} ${word} ${items.at(-1)}`;
}

/** Joins memory sizes, with the unit once if all have it at the end: `128, 256 and 512 MB`. */
export function joinedSizes(sizes: readonly string[], word = "and"): string {
  const isPlain = sizes.every((size) => /^[\d,]+ MB$/.test(size));
  const numbers = sizes.map((size) => size.replace(/ MB$/, ""));
  return isPlain ? `${joined(numbers, word)} MB` : joined(sizes, word);
}

type Bounds = Pick<Multiple, "times" | "low" | "high">;

/**
 * Returns a multiple as a person would say it: the roundest number that claims no more than its 95% CI. It is never
 * above the interval, and at most 5% below it: a slight understatement is still true, and simpler to say.
 */
export function roundedTimes({ times, low, high }: Bounds): number {
  const inside = Math.min(Math.max(times, low), high);
  const decade = 10 ** Math.floor(Math.log10(inside));
  for (const step of stepsFor(inside / decade, decade)) {
    for (const steps of [Math.round(inside / step), Math.floor(inside / step)]) {
      const rounded = Number((steps * step).toPrecision(4));
      if (rounded >= low * mostUnderstated && rounded <= high && rounded > 1) return rounded;
    }
  }
  return Number((Math.floor((inside / decade) * 1000) * (decade / 1000)).toPrecision(4));
}

const mostUnderstated = 0.95;

/** Returns rounding steps from coarse to fine: 75 not 74, 2.5 not 2.4, 12 not 12.3; percents just above 1. */
function stepsFor(mantissa: number, decade: number): readonly number[] {
  const fine = [0.1, 0.01, 0.001].map((step) => step * decade);
  if (decade === 1 && mantissa < 1.2) return fine.slice(1);
  return mantissa < 2 ? fine : [decade / 2, ...fine];
}

/** Returns `2.5` or `1,200`. */
export function timesText(times: number): string {
  const [whole = "", decimals] = String(times).split(".");
  const grouped = count(Number(whole));
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}

const shownInPercent = 1.2;

/** Returns whether a person would say `7%` rather than `1.07 times`. */
export function isShownInPercent(times: number): boolean {
  return times < shownInPercent;
}

/** Returns `7` for 1.07. */
export function percentText(times: number): string {
  return String(Number(((times - 1) * 100).toFixed(1)));
}

const asLongWithin = 1.05;

/** Returns a ratio in words: `11% longer`, `2.1 times as long`, `as long` or `1.4 times faster`. */
export function amountText(ratio: number): string {
  const times = Math.max(ratio, 1 / ratio);
  if (times < asLongWithin) return "as long";
  const rounded = Number(times.toPrecision(2));
  if (ratio < 1) return `${timesText(rounded)} times faster`;
  return isShownInPercent(times)
    ? `${percentText(Number(times.toFixed(2)))}% longer`
    : `${timesText(rounded)} times as long`;
}

/** Returns the range of several ratios: `1.7 to 2.5 times faster`, or `from as long to 1.4 times as long`. */
export function amountsText(ratios: readonly number[]): string {
  const texts = [Math.min(...ratios), Math.max(...ratios)].map(amountText);
  const [least = "", most = ""] = texts;
  if (least === most) return least;
  const [from, to] = texts.map((text) => /^([\d.,]+)(%? .*)$/.exec(text) ?? []);
  if (from?.[2] === undefined || from[2] !== to?.[2]) return `from ${least} to ${most}`;
  // The smallest ratio below 1 is the largest effect.
  const ends = Math.max(...ratios) < 1 ? [to[1], from[1]] : [from[1], to[1]];
  return `${ends.join(" to ")}${from[2]}`;
}
