import type { Plan } from "../contract/types/contract.ts";

/** Imported samples are of no experiment of the catalogue. */
export const importedExperiment = "imported";

/** What a report of imported samples is about: the functions that they are of, the first one the baseline. */
export function importedSubject({ cells }: Pick<Plan, "cells">) {
  const variants = [...new Set(cells.map(({ variant }) => variant))];
  const names = variants.join(", ");
  return {
    id: importedExperiment,
    title: `Imported: ${names}`,
    question: `What did Lambda report of ${names}?`,
    variants: variants.map((id) => ({ id, label: id })),
    baselineVariant: variants[0] ?? "",
  };
}
