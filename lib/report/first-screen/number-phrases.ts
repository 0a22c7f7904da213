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

/** Returns `2.5` or `1,200`. */
export function timesText(times: number): string {
  const [whole = "", decimals] = String(times).split(".");
  const grouped = count(Number(whole));
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}
