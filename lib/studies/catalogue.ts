import type { RenderedReport, ReportInputs } from "../report/experiment-report.ts";
import type { ResultStore } from "../sampler/result-store.ts";
import { emulators } from "./emulators/definition.ts";
import { renderStoredEngines } from "./emulators/report.ts";

/** A study compares something other than functions: it runs only locally, and has its own reports. */
interface Study {
  readonly id: string;
  /** Completes the sentence "this run ...". */
  readonly purpose: string;
  readonly renderStored: (
    inputs: Pick<ReportInputs, "plan" | "manifest" | "samples">,
    store: ResultStore,
  ) => Promise<RenderedReport>;
}

const studies: readonly Study[] = [
  {
    id: emulators.id,
    purpose: "compares engines on one machine",
    renderStored: renderStoredEngines,
  },
];

/** Returns the study with that id; undefined for an experiment. */
export function findStudy(id: string | undefined): Study | undefined {
  return studies.find((study) => study.id === id);
}
