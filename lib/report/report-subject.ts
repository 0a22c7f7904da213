/** What a report is about: the part of an experiment's definition that a reader needs. */
export interface ReportSubject {
  readonly id: string;
  readonly title: string;
  readonly question: string;
  readonly variants: readonly { readonly id: string; readonly label: string }[];
  /** The variant against which ratios are stated. */
  readonly baselineVariant: string;
}

/** The variant's label, or its id where the subject does not know it. */
export function labelOf(subject: ReportSubject, variant: string): string {
  return subject.variants.find((known) => known.id === variant)?.label ?? variant;
}
