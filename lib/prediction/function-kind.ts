/** How a function is executed: a binary of its own, or by an interpreter that Lambda brings. */
export type Family = "native" | "python" | "node";

/** What a call consists of. */
export type Work =
  /** A few requests to a service by an SDK. */
  | "service"
  /** Some hundred requests to a service in one call. */
  | "fan-out"
  /** Computing, without a request. */
  | "compute";

/** What a function's times on Lambda depend on, beside its size. */
export interface FunctionKind {
  readonly family: Family;
  readonly work: Work;
  /** True if the first request gathers entropy from the processor's jitter, as aws-lc's does by default. */
  readonly gathersJitter: boolean;
}

/** The family of a Lambda runtime; undefined of one that no published figure is of. */
export function familyOf(runtime: string): Family | undefined {
  if (/^(provided|rust|go1)/.test(runtime)) return "native";
  if (runtime.startsWith("python")) return "python";
  return runtime.startsWith("nodejs") ? "node" : undefined;
}
