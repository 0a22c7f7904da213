/** The form in which a function runs: as its own binary, or in an interpreter that Lambda provides. */
export type Family = "native" | "python" | "node";

/** Kind of work that a call does. */
export type Work =
  /** A few requests to a service through an SDK. */
  | "service"
  /** About a hundred requests to a service in one call. */
  | "fan-out"
  /** Computation without requests. */
  | "compute";

/** Properties, besides size, that determine a function's times on Lambda. */
export interface FunctionKind {
  readonly family: Family;
  readonly work: Work;
  /** True if the first request gathers entropy from the processor's jitter, as aws-lc does by default. */
  readonly gathersJitter: boolean;
}

/** Returns the family of a Lambda runtime; undefined if no figures are published for it. */
export function familyOf(runtime: string): Family | undefined {
  if (/^(provided|rust|go1)/.test(runtime)) return "native";
  if (runtime.startsWith("python")) return "python";
  return runtime.startsWith("nodejs") ? "node" : undefined;
}
