import type { Plan } from "../contract/types/contract.ts";

/** The id of every experiment that is made of a functions file. */
export const functionsExperimentId = "functions";

/** The message for a function that is a container image, wherever one is found. */
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

/** The subject of a report of users' functions: those with cells in the plan, the first one as baseline. */
export function functionsSubject({ cells }: Pick<Plan, "cells">) {
  const names = [...new Set(cells.map(({ variant }) => variant))];
  return {
    id: functionsExperimentId,
    ...functionsTitle(names),
    variants: names.map((id) => ({ id, label: id })),
    baselineVariant: names[0] ?? "",
  };
}
