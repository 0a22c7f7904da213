import type { RenderedReport, ReportInputs } from "../report/experiment-report.ts";
import type { ResultStore } from "../sampler/result-store.ts";
import { emulators } from "./emulators/definition.ts";
import { renderStoredEngines } from "./emulators/report.ts";

/** A study compares something else than functions: it runs on one machine only, and writes reports of its own. */
interface Study {
  readonly id: string;
  /** Ends the sentence "this run ...". */
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

/** The study of that id; undefined for an experiment. */
export function findStudy(id: string | undefined): Study | undefined {
  return studies.find((study) => study.id === id);
}
