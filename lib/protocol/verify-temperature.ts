import type { FunctionResult, Sample } from "../contract/types/contract.ts";
import { contractProblem } from "../contract/validate.ts";
import type { Invocation, Target } from "./target.ts";
import type { VisitProgress } from "./visit-progress.ts";

/** What is known of the environment before an invocation. */
export interface EnvironmentMemory extends Pick<VisitProgress, "bootId" | "nextInvocation"> {
  /** Boot ids of the cell's earlier environments. */
  readonly seenBootIds: ReadonlySet<string>;
}

/** By what a process is told from another, and an invocation from the one before. */
type Identity = Pick<FunctionResult, "bootId" | "coldStart" | "invocation">;

export type Rejection = NonNullable<Sample["rejected"]>;

/**
 * Why an invocation does not count for its phase, or undefined when it does. Cold needs Init and a
 * new boot id whose count starts at 0; second and warm need the same boot id, no Init, and a count
 * that no other caller has moved on.
 */
export function rejection(
  phase: Sample["phase"],
  invocation: Invocation,
  memory: EnvironmentMemory,
  resultContract: NonNullable<Target["resultContract"]> = "result",
): Rejection | undefined {
  if (invocation.error !== undefined) return { reason: "error", detail: invocation.error.type };
  const problem = contractProblem(resultContract, invocation.payload);
  if (problem !== undefined) return { reason: "result-invalid", detail: problem.message };
  const { telemetry, telemetryRefused: detail } = invocation;
  if (telemetry === undefined) {
    return { reason: "telemetry-missing", ...(detail !== undefined && { detail }) };
  }
  const result = invocation.payload as Identity;
  const initSeen = telemetry.initDurationMs !== undefined;
  return phase === "cold"
    ? coldRejection(result, initSeen, memory)
    : laterRejection(result, initSeen, memory);
}

function coldRejection(
  result: Identity,
  initSeen: boolean,
  memory: EnvironmentMemory,
): Rejection | undefined {
  if (memory.seenBootIds.has(result.bootId) || result.invocation !== 0 || !result.coldStart) {
    return {
      reason: "boot-id-reused",
      detail: `${result.bootId}, invocation ${result.invocation}`,
    };
  }
  return initSeen ? undefined : { reason: "init-missing" };
}

function laterRejection(
  result: Identity,
  initSeen: boolean,
  { bootId, nextInvocation }: EnvironmentMemory,
): Rejection | undefined {
  if (result.bootId !== bootId) return { reason: "boot-id-changed", detail: result.bootId };
  if (initSeen) return { reason: "init-unexpected" };
  if (result.invocation <= nextInvocation) return undefined;
  const detail = `invocation ${result.invocation}, expected ${nextInvocation}`;
  return { reason: "invoked-meanwhile", detail };
}
