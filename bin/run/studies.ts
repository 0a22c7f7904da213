import type { RenderedReport, ReportInputs } from "../../lib/report/experiment-report.ts";
import type { ResultStore } from "../../lib/sampler/result-store.ts";
import { emulators } from "../../studies/emulators/definition.ts";
import {
  javaVersion,
  missingForDynamodbLocal,
} from "../../studies/emulators/engines/install-engines.ts";
import { renderStoredEngines } from "../../studies/emulators/report.ts";

/** A study compares something other than functions: it runs only locally, and has its own reports. */
interface Study {
  readonly id: string;
  /** Completes the sentence "this run ...". */
  readonly purpose: string;
  readonly renderStored: (
    inputs: Pick<ReportInputs, "plan" | "manifest" | "samples">,
    store: ResultStore,
  ) => Promise<RenderedReport>;
  /** What it needs beside the rest of Kelvin, as far as this machine has it. */
  readonly prerequisite: {
    readonly name: string;
    readonly neededFor: string;
    readonly find: () => { readonly found?: string; readonly remedy?: string };
  };
}

export const studies: readonly Study[] = [
  {
    id: emulators.id,
    purpose: "compares engines on one machine",
    renderStored: renderStoredEngines,
    prerequisite: {
      name: "Java, Maven",
      neededFor: "DynamoDB Local in kelvin local --experiment emulators",
      find: () => {
        const remedy = missingForDynamodbLocal();
        return remedy === undefined ? { found: `Java ${javaVersion()}` } : { remedy };
      },
    },
  },
];

/** Returns the study with that id; undefined for an experiment. */
export function findStudy(id: string | undefined): Study | undefined {
  return studies.find((study) => study.id === id);
}
