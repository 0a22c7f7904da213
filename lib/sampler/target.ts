import type {
  Block,
  Cell,
  ForcedCold,
  Plan,
  Sample,
  Telemetry,
  Trial,
} from "../contract/types/contract.ts";

/** What one call of a function came to. A failure of measurement is a value here, never thrown. */
export interface Invocation {
  readonly requestId?: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly clientLatencyMs?: number;
  readonly telemetry?: Telemetry;
  /** Why a report that came with the answer was not taken. */
  readonly telemetryRefused?: string;
  /** The log came truncated and its REPORT was not in it. */
  readonly logTruncated?: boolean;
  /** Answered without telemetry, which the target may have later. */
  readonly telemetryAwaited?: boolean;
  /** It came neither with the answer nor at once, but out of the function's log. */
  readonly telemetryFromLogs?: boolean;
  /** From the event's handing over to the first byte of the answer; of a streamed one. */
  readonly firstByteMs?: number;
  /** On this machine, where processes are counted. */
  readonly cpu?: Sample["cpu"];
  /** Present when the process was made to run under an instrument: its times are not the function's. */
  readonly instructions?: Sample["instructions"];
  /** What the function returned, its text where that is no JSON; absent when it failed. */
  readonly payload?: unknown;
  /** The environment that was called, where the target can tell one from another. */
  readonly environment?: CalledEnvironment;
  /** The tail of what the function printed, where the target has it. */
  readonly log?: string;
  readonly error?: { readonly type: string; readonly message: string };
}

/** An execution environment as its target knows it. */
export interface CalledEnvironment {
  readonly id: string;
  /** Calls that it was given before this one; 0 of a new one. */
  readonly invocation: number;
}

/** An invocation whose telemetry can be asked for later. */
export type AnsweredInvocation = Invocation & Required<Pick<Invocation, "requestId">>;

export interface LateTelemetry {
  readonly byRequestId: ReadonlyMap<string, Telemetry>;
  /**
   * Why a report that is there was not taken, by request id.
   * @default none was refused
   */
  readonly refused?: ReadonlyMap<string, string>;
  /** Why some of it was not to be had. */
  readonly missing?: string;
}

/** And the environments that the invocations met, by request id; without those that are not to be had. */
export interface LateEnvironments extends LateTelemetry {
  readonly environments: ReadonlyMap<string, CalledEnvironment>;
}

/** What a function of Kelvin's is called with: the operation, and its parameters. */
export interface MeasuredEvent {
  readonly operation: string;
  readonly [parameter: string]: string | number;
}

/** What can be invoked and made cold: AWS, this machine, a fake in tests. */
export interface Target {
  readonly kind: Sample["target"];
  /**
   * What its results must keep; each has the environment's boot id and its count of invocations.
   * @default "result", what a measured function returns
   */
  readonly resultContract?: "result" | "engineResult";
  /**
   * The cell's next invocation meets a new execution environment. Gives what that took, where the
   * target counts it. Throws when it cannot be had; the trial is then recorded as a failure of its
   * cell.
   */
  forceCold(cell: Cell): Promise<ForcedCold | undefined>;
  /**
   * Calls the cell's function once, with no retry of any kind; a user's function takes any JSON.
   * @param operation the plan's name of what it does, by which the call may be spaced.
   */
  invoke(cell: Cell, event: unknown, operation?: string): Promise<Invocation>;
  /**
   * The CPU as the environment of this boot id sees it; undefined where that does not answer. Asked after
   * the environment's last measured call, never throws. Absent where the caller knows the machine.
   */
  cpuModel?(cell: Cell, bootId: string): Promise<string | undefined>;
  /**
   * The telemetry of invocations that were answered without it. Asked between no two calls that are
   * measured; bounded in time, never throws. Absent where an answer always has all there is.
   * @param mayWait false: what is there now.
   */
  lateTelemetry?(
    cell: Cell,
    invocations: readonly AnsweredInvocation[],
    mayWait: boolean,
  ): Promise<LateTelemetry>;
  /**
   * Which environments a trial's invocations of a user's function met, with the telemetry of those that were
   * answered without it. As lateTelemetry. Absent where each invocation tells its environment.
   * @param invocations all of the trial's that are known: what else they find there was somebody else's.
   */
  lateEnvironments?(
    cell: Cell,
    invocations: readonly AnsweredInvocation[],
    mayWait: boolean,
  ): Promise<LateEnvironments>;
}

/** One trial to make: a new execution environment of a cell in a block. */
export interface TrialContext {
  readonly plan: Plan;
  readonly block: Block;
  readonly trial: Trial;
  readonly cell: Cell;
  /** Present when the trial was begun before and is made again. */
  readonly attempt?: number;
  /** Boot ids of the cell's earlier environments; this trial's is added. */
  readonly seenBootIds: Set<string>;
}

/** One invocation that a trial makes. */
export interface Step {
  readonly phase: Sample["phase"];
  readonly operation: string;
  readonly discarded: boolean;
}
