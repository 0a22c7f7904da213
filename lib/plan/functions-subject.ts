import type { Plan } from "../contract/types/contract.ts";

/** Id of every experiment made from a functions file. */
export const functionsExperimentId = "functions";

/** Converts a text to a function's name, by the pattern of functions.schema.json. */
export function toFunctionName(text: string): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, 30)
    .replace(/-$/, "");
  return name === "" ? "function" : name;
}

/** Error message for a function that is a container image. */
export const imagesUnsupported =
  "Container images are measured on AWS alone, by their digest (kelvin deploy --functions): Kelvin cannot unpack one or run it under Lambda's Runtime API";

/** The title of a run, and the question that it answers. */
interface FunctionsTitle {
  readonly title: string;
  readonly question: string;
}

/** Makes the title from the functions' names; the first one is the baseline. */
export function functionsTitle(names: readonly string[]): FunctionsTitle {
  const [base, ...others] = names;
  const title = `Functions: ${names.join(", ")}`;
  return others.length === 0
    ? { title, question: `Which memory size for ${base}?` }
    : { title, question: `Is ${others.join(" or ")} faster or slower than ${base}?` };
}

/** Returns the subject of a report on users' functions: those with cells in the plan, the first one as baseline. */
export function functionsSubject({ cells }: Pick<Plan, "cells">) {
  const names = [...new Set(cells.map(({ variant }) => variant))];
  return {
    id: functionsExperimentId,
    ...functionsTitle(names),
    variants: names.map((id) => ({ id, label: id })),
    baselineVariant: names[0] ?? "",
  };
}
