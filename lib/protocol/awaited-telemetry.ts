import type { Cell, Sample } from "../contract/types/contract.ts";
import type { AnsweredInvocation, Invocation, Target } from "./target.ts";

interface Awaiting {
  readonly invocation: AnsweredInvocation;
  readonly sampleOf: (invocation: Invocation) => Sample;
}

/**
 * A visit's invocations that were answered without telemetry, until its calls have been made: to wait
 * for it between two of them would change what the later one meets.
 */
export class AwaitedTelemetry {
  readonly #awaiting: Awaiting[] = [];

  /** @param sampleOf makes the invocation's sample, as often as it is called. */
  add(invocation: Invocation, sampleOf: (invocation: Invocation) => Sample): void {
    const { requestId } = invocation;
    if (requestId !== undefined)
      this.#awaiting.push({ invocation: { ...invocation, requestId }, sampleOf });
  }

  /** Their samples again: with the telemetry, or with the reason why there is none. */
  async samples(target: Target, cell: Cell, mayWait: boolean): Promise<readonly Sample[]> {
    if (this.#awaiting.length === 0 || target.lateTelemetry === undefined) return [];
    const invocations = this.#awaiting.map(({ invocation }) => invocation);
    const { byRequestId, refused, missing } = await target.lateTelemetry(
      cell,
      invocations,
      mayWait,
    );
    return this.#awaiting.map(({ invocation, sampleOf }) => {
      const telemetry = byRequestId.get(invocation.requestId);
      return telemetry === undefined
        ? withReason(sampleOf(invocation), refused?.get(invocation.requestId) ?? missing)
        : sampleOf({ ...invocation, telemetry, telemetryFromLogs: true });
    });
  }
}

function withReason(sample: Sample, missing: string | undefined): Sample {
  const { rejected } = sample;
  const isForIt = rejected?.reason === "telemetry-missing" && missing !== undefined;
  return isForIt ? { ...sample, rejected: { ...rejected, detail: missing } } : sample;
}
