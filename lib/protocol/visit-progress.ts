import type { FunctionResult, Sample } from "../contract/types/contract.ts";

/** How far a visit has come, and what its next call is held against. Goes through JSON unharmed. */
export interface VisitProgress {
  /** Present when the environment was forced cold again: the first one had been used before. */
  readonly attempt?: number;
  /** The next call's place in the visit: as many were made. */
  readonly sequence: number;
  /** Of the visit's environment; absent before its cold invocation gave it. */
  readonly bootId?: string;
  /** What the environment's own count can be at most at the next call, were it called by no one else. */
  readonly nextInvocation: number;
  readonly errorsInARow: number;
  /** Calls in a row that another environment answered. */
  readonly otherBootsInARow: number;
}

export const visitBegin: VisitProgress = {
  sequence: 0,
  nextInvocation: 0,
  errorsInARow: 0,
  otherBootsInARow: 0,
};

/** A visit that forces cold once more takes the next attempt: a visit that is made again begins after both. */
export const attemptsPerVisit = 2;

/**
 * The visit after one more sample. A call that failed may have been counted or not. A cold call that a
 * used environment answered is made once more, in one that is forced cold again.
 */
export function progressAfter(progress: VisitProgress, sample: Sample): VisitProgress {
  const { attempt } = progress;
  const isCold = sample.phase === "cold";
  if (isCold && attempt === undefined && sample.rejected?.reason === "boot-id-reused") {
    return { ...visitBegin, attempt: (sample.attempt ?? 0) + 1 };
  }
  const bootId = isCold ? bootIdOf(sample) : progress.bootId;
  return {
    ...(attempt !== undefined && { attempt }),
    sequence: progress.sequence + 1,
    ...(bootId !== undefined && { bootId }),
    nextInvocation: isCold ? 1 : invocationAfter(progress, sample),
    errorsInARow: sample.error === undefined ? 0 : progress.errorsInARow + 1,
    otherBootsInARow: otherBootsAfter(progress, sample),
  };
}

/** A call that failed says nothing of which environment it was. */
function otherBootsAfter({ otherBootsInARow }: VisitProgress, sample: Sample): number {
  if (sample.rejected?.reason === "boot-id-changed") return otherBootsInARow + 1;
  return sample.error === undefined ? 0 : otherBootsInARow;
}

function invocationAfter({ bootId, nextInvocation }: VisitProgress, sample: Sample): number {
  const result = resultOf(sample);
  return result?.bootId === bootId && result?.invocation !== undefined
    ? result.invocation + 1
    : nextInvocation + 1;
}

/** Of the process that answered, where what it returned keeps the contract. */
export function bootIdOf(sample: Sample): string | undefined {
  return resultOf(sample)?.bootId;
}

/** What the function returned, where that keeps the contract. */
function resultOf(sample: Sample): FunctionResult | undefined {
  const isSound = sample.error === undefined && sample.rejected?.reason !== "result-invalid";
  return isSound ? (sample.result as FunctionResult | undefined) : undefined;
}
