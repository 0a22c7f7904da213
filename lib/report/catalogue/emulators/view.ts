import type { Manifest, Plan } from "../../../contract/types/contract.ts";
import { plannedByCell } from "../../collect/planned-samples.ts";
import type { ReportInputs } from "../../render-report.ts";
import type { ReportSubject } from "../../report-subject.ts";
import { collectEngines } from "./collect.ts";
import { type EngineFigures, engineFigures } from "./figures.ts";

/** The cold JVM is what a test run meets first, the warm one what a long one meets. */
export const coldBaseline = "dynamodb-local";
export const warmBaseline = "dynamodb-local-warm";

/** Everything that the comparison's report says, as numbers: summary.json. Times in ms, ratios above 1 are quicker. */
export interface EngineView {
  readonly schemaVersion: 1;
  readonly subject: ReportSubject;
  readonly plan: Omit<Plan, "blocks" | "warnings" | "instrumented">;
  readonly manifest: Manifest;
  /** Against DynamoDB Local on a JVM as it started. */
  readonly engines: readonly EngineFigures[];
  /** Against DynamoDB Local on a warm JVM. */
  readonly againstWarm: readonly EngineFigures[];
  readonly errors: readonly {
    readonly cellId: string;
    readonly message: string;
    readonly count: number;
  }[];
}

export async function engineView(inputs: Omit<ReportInputs, "prices">): Promise<EngineView> {
  const { plan, manifest, subject, samples } = inputs;
  const collected = await collectEngines(plan, samples);
  const { blocks: _, warnings: __, instrumented: ___, ...planWithoutBlocks } = plan;
  const planned = [...plannedByCell(plan).values()].reduce((sum, n) => sum + n, 0);
  const { id, title, question, variants, baselineVariant } = subject;
  return {
    schemaVersion: 1,
    subject: {
      id,
      title,
      question,
      variants: variants.map((variant) => ({ id: variant.id, label: variant.label })),
      baselineVariant,
    },
    plan: planWithoutBlocks,
    manifest: { ...manifest, counts: collected.quality.counts(planned) },
    engines: engineFigures(plan, manifest, collected, coldBaseline),
    againstWarm: engineFigures(plan, manifest, collected, warmBaseline),
    errors: [...collected.quality.errors.values()].map(({ cellId, message, count }) => ({
      cellId,
      message,
      count,
    })),
  };
}
