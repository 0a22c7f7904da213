import type { ExperimentReport } from "../../report/experiment-report.ts";
import { leadSection } from "../../report/section/lead.ts";

/** Of `sha256`: how the lead changes with memory, and what it depends on. */
export const sha256Report: ExperimentReport = {
  metrics: [],
  metricsOf: () => ({}),
  part: () => ({
    sections: leadSection,
    limits: [
      "The lead is that of this processor: at 1,769 MB a public benchmark of the same work saw Rust take 38 ms with the processor's SHA instructions (arm64) and 151 without them (x86_64), Python 335 and 368.",
      "Every hash is of 32 bytes: of longer inputs more of Python's time is OpenSSL's, and its ratio is smaller.",
    ],
  }),
};
