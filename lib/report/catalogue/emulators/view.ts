import type { Manifest, MicroBenchmarks, Plan } from "../../../contract/types/contract.ts";
import { plannedByCell } from "../../collect/planned-samples.ts";
import type { ReportInputs } from "../../experiment-report.ts";
import type { ReportSubject } from "../../report-subject.ts";
import { collectEngines } from "./collect.ts";
import { coldBaseline, enginesInFiles, warmBaseline } from "./engine-roles.ts";
import { type EngineFigures, engineFigures } from "./figures.ts";

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
  readonly inFiles: readonly EngineFigures[];
  readonly micro?: MicroBenchmarks;
  readonly errors: readonly {
    readonly cellId: string;
    readonly message: string;
    readonly count: number;
  }[];
}

/** What the report is made of; the embedded calls are there where someone timed them for it. */
export interface EngineInputs extends Omit<ReportInputs, "prices"> {
  readonly micro?: MicroBenchmarks;
}

export async function engineView(inputs: EngineInputs): Promise<EngineView> {
  const { plan, manifest, subject, samples, micro } = inputs;
  const collected = await collectEngines(plan, samples);
  const { blocks: _, warnings: __, instrumented: ___, ...planWithoutBlocks } = plan;
  const planned = [...plannedByCell(plan).values()].reduce((sum, n) => sum + n, 0);
  const against = engineFigures(plan, manifest, collected, coldBaseline);
  const isInFiles = ({ id }: EngineFigures) => enginesInFiles.includes(id);
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
    engines: against.filter((engine) => !isInFiles(engine)),
    againstWarm: engineFigures(plan, manifest, collected, warmBaseline).filter(
      (engine) => !isInFiles(engine),
    ),
    inFiles: against.filter(isInFiles),
    ...(micro !== undefined && { micro }),
    errors: [...collected.quality.errors.values()].map(({ cellId, message, count }) => ({
      cellId,
      message,
      count,
    })),
  };
}
