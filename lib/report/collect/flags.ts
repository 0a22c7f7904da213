import type { Sample } from "../../contract/types/contract.ts";
import { checkBilled } from "../../cost/billed-check.ts";

/** The sample's own flags, and what its bill shows when it is worked out again. */
export function flagsOf(sample: Sample): ReadonlySet<string> {
  const flags = new Set<string>(sample.flags);
  const { telemetry } = sample;
  if (telemetry !== undefined && checkBilled(telemetry).kind === "mismatch") {
    flags.add("billed-mismatch");
  }
  return flags;
}
