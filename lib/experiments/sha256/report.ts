import type { ExperimentReport } from "../../report/experiment-report.ts";
import { leadSection } from "../../report/section/lead.ts";
import { publishedWorkload } from "../published-workload.ts";

/** The report of `sha256`: how the lead changes with memory, and what it depends on. */
export const sha256Report: ExperimentReport = {
  metrics: [],
  metricsOf: () => ({}),
  published: publishedWorkload("cpu-intensive", "sha256_chain"),
  part: () => ({
    sections: leadSection,
    limits: [
      "The lead depends on the processor: in a public benchmark of the same work at 1,769 MB, Rust took 38 ms with the processor's SHA instructions (arm64) and 151 ms without them (x86_64); Python took 335 and 368 ms.",
      "Every hash is computed over 32 bytes. With longer inputs, OpenSSL accounts for more of Python's time, and the ratio is smaller.",
    ],
  }),
};
