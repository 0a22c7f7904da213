import { defined } from "../contract/defined.ts";
import type { Sample } from "../contract/types/contract.ts";
import type {
  AnsweredInvocation,
  CalledEnvironment,
  Invocation,
  LateTelemetry,
  Target,
  TrialContext,
} from "./target.ts";
import {
  type Call,
  makeSample,
  nextProgress,
  type TrialProgress,
  trialStart,
} from "./trial-sample.ts";

/**
 * Judges calls again after the trial, if not all is known about them when they are answered. It must not wait
 * earlier: a pause between two calls would change what the second one measures.
 */
export interface LaterJudgement {
  add(call: Call, invocation: Invocation): void;
  /**
   * Returns again the samples about which more is known now. Must be called once.
   * @param mayWait if false, uses only what is available now.
   */
  samples(mayWait: boolean): Promise<readonly Sample[]>;
  /** Adds what another driver needs to continue; must be called after `samples`. */
  handedOver(progress: TrialProgress): TrialProgress;
}

export function judgedLater(
  target: Target,
  context: TrialContext,
  from: TrialProgress | undefined,
): LaterJudgement {
  return context.plan.ownResults && target.lateEnvironments !== undefined
    ? new UnknownEnvironments(target, context, from)
    : new AwaitedTelemetry(target, context);
}

interface MadeCall {
  readonly call: Call;
  readonly invocation: Invocation;
}

/** Judges again the invocations that were answered without telemetry. */
class AwaitedTelemetry implements LaterJudgement {
  readonly #target: Target;
  readonly #context: TrialContext;
  readonly #awaiting: {
    readonly invocation: AnsweredInvocation;
    readonly sampleOf: (invocation: Invocation) => Sample;
  }[] = [];

  constructor(target: Target, context: TrialContext) {
    this.#target = target;
    this.#context = context;
  }

  add(call: Call, invocation: Invocation): void {
    const { requestId, telemetryAwaited } = invocation;
    if (requestId === undefined || telemetryAwaited !== true) return;
    const asItWas = { ...this.#context, seenBootIds: new Set(this.#context.seenBootIds) };
    this.#awaiting.push({
      invocation: { ...invocation, requestId },
      sampleOf: (answer) => makeSample(this.#target, asItWas, call, answer),
    });
  }

  /** Returns the samples with their telemetry, or with the reason why it is missing. */
  async samples(mayWait: boolean): Promise<readonly Sample[]> {
    if (this.#awaiting.length === 0 || this.#target.lateTelemetry === undefined) return [];
    const invocations = this.#awaiting.map(({ invocation }) => invocation);
    const late = await this.#target.lateTelemetry(this.#context.cell, invocations, mayWait);
    return this.#awaiting.map(({ invocation, sampleOf }) =>
      sampleOf(withTelemetry(invocation, late)),
    );
  }

  handedOver(progress: TrialProgress): TrialProgress {
    return progress;
  }
}

/**
 * Judges again the calls of a user's function, on a target that learns which environments answered only after the
 * trial. Each call was first judged by Init alone; it is judged again, in order, if its environment is known.
 */
class UnknownEnvironments implements LaterJudgement {
  readonly #target: Target;
  readonly #context: TrialContext;
  readonly #made: MadeCall[] = [];
  /** Progress of the trial after the calls judged again. */
  #judged: TrialProgress;

  constructor(target: Target, context: TrialContext, from: TrialProgress = trialStart) {
    this.#target = target;
    this.#context = context;
    this.#judged = from;
  }

  /** Drops the answer, which was judged already: all answers of a trial may not fit into memory. */
  add(call: Call, { payload: _, log: __, ...invocation }: Invocation): void {
    this.#made.push({ call, invocation });
  }

  async samples(mayWait: boolean): Promise<readonly Sample[]> {
    const invocations = this.#reported();
    if (this.#made.length === 0 || this.#target.lateEnvironments === undefined) return [];
    if (invocations.length === 0) return [];
    const { cell } = this.#context;
    const late = await this.#target.lateEnvironments(cell, invocations, mayWait);
    this.#recallCold(late.environments);
    return this.#made.flatMap(({ call, invocation }) => {
      const environment = late.environments.get(invocation.requestId ?? "");
      const { failedInits = invocation.failedInits } = environment ?? {};
      const answered = withTelemetry(invocation, late);
      const known = { ...answered, ...defined({ environment, failedInits }) };
      const sample = this.#judge(call, known);
      if (environment === undefined && late.missing !== undefined) {
        return [{ ...sample, environmentUnknown: late.missing }];
      }
      const isMoreKnown = environment !== undefined || invocation.telemetryAwaited === true;
      return isMoreKnown ? [sample] : [];
    });
  }

  handedOver(progress: TrialProgress): TrialProgress {
    if (progress.sequence === 0) return progress;
    const { bootId, nextInvocation } = this.#judged;
    const cold = this.#made.findLast(({ call }) => call.step.phase === "cold")?.invocation;
    const { coldCall = cold && coldCallOf(cold) } = this.#judged;
    const hasJudged = this.#judged.sequence === progress.sequence;
    return { ...progress, ...defined({ bootId, coldCall }), ...(hasJudged && { nextInvocation }) };
  }

  /** Returns the calls that Lambda reports: a call that it refused never has an environment. */
  #reported(): readonly AnsweredInvocation[] {
    const { coldCall } = this.#judged;
    const answered = this.#made.flatMap(({ invocation }) => {
      const { requestId, telemetry, telemetryRefused, telemetryAwaited } = invocation;
      const isReported = telemetry ?? telemetryRefused ?? telemetryAwaited;
      return requestId === undefined || isReported === undefined
        ? []
        : [{ ...invocation, requestId }];
    });
    return coldCall === undefined ? answered : [coldCall, ...answered];
  }

  /** Sets the environment of a cold call that another driver made. */
  #recallCold(environments: ReadonlyMap<string, CalledEnvironment>): void {
    const { coldCall } = this.#judged;
    const environment = coldCall && environments.get(coldCall.requestId);
    if (environment !== undefined) this.#judged = { ...this.#judged, bootId: environment.id };
  }

  #judge(call: Call, invocation: Invocation): Sample {
    const { bootId: _, ...place } = call.progress;
    const { bootId, nextInvocation } = this.#judged;
    const progress = { ...place, ...defined({ bootId }), nextInvocation };
    const sample = makeSample(this.#target, this.#context, { ...call, progress }, invocation);
    this.#judged = nextProgress(progress, sample, invocation.environment);
    const { environmentId } = sample;
    if (environmentId !== undefined) this.#context.seenBootIds.add(environmentId);
    return sample;
  }
}

function coldCallOf({ requestId, startedAt }: Invocation): TrialProgress["coldCall"] {
  return requestId === undefined ? undefined : { requestId, startedAt };
}

/** Adds the telemetry that arrived late, or the reason why it is missing. */
function withTelemetry(
  invocation: Invocation,
  { byRequestId, refused, missing }: LateTelemetry,
): Invocation {
  const { telemetryAwaited, requestId = "" } = invocation;
  if (telemetryAwaited !== true) return invocation;
  const telemetry = byRequestId.get(requestId);
  if (telemetry !== undefined) return { ...invocation, telemetry, telemetryFromLogs: true };
  const telemetryRefused = refused?.get(requestId) ?? missing;
  return telemetryRefused === undefined ? invocation : { ...invocation, telemetryRefused };
}
