/** The way a function is executed: as its own binary, or by an interpreter that Lambda provides. */
export type Family = "native" | "python" | "node";

/** The work of a call. */
export type Work =
  /** A few requests to a service through an SDK. */
  | "service"
  /** Some hundred requests to a service in one call. */
  | "fan-out"
  /** Computation without any request. */
  | "compute";

/** Properties, besides size, that a function's times on Lambda depend on. */
export interface FunctionKind {
  readonly family: Family;
  readonly work: Work;
  /** True if the first request gathers entropy from the processor's jitter, as aws-lc's does by default. */
  readonly gathersJitter: boolean;
}

/** The family of a Lambda runtime; undefined if no figures are published for it. */
export function familyOf(runtime: string): Family | undefined {
  if (/^(provided|rust|go1)/.test(runtime)) return "native";
  if (runtime.startsWith("python")) return "python";
  return runtime.startsWith("nodejs") ? "node" : undefined;
}
