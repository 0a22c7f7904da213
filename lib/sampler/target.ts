import type { InvalidInput } from "../contract/errors.ts";
import type {
  Block,
  Cell,
  FailedInit,
  ForcedCold,
  Plan,
  Sample,
  Telemetry,
  Trial,
} from "../contract/types/contract.ts";

/** The outcome of one call of a function. A failed measurement is a value, never thrown. */
export interface Invocation {
  readonly requestId?: string;
  /** Start of the call, ISO 8601, UTC. */
  readonly startedAt: string;
  readonly clientLatencyMs?: number;
  readonly telemetry?: Telemetry;
  /** Inits of its environment that failed, if they were run again within this call. */
  readonly failedInits?: FailedInit[];
  /** Why a report that came with the answer was refused. */
  readonly telemetryRefused?: string;
  /** True if the log was truncated and did not contain its REPORT. */
  readonly logTruncated?: boolean;
  /** True if the answer came without telemetry, which the target may have later. */
  readonly telemetryAwaited?: boolean;
  /** True if the telemetry came later, from the function's log. */
  readonly telemetryFromLogs?: boolean;
  /** Time from the dispatch of the event to the first byte of a streamed answer. */
  readonly firstByteMs?: number;
  /** CPU time of the call; only in local runs, where it is counted per process. */
  readonly cpu?: Sample["cpu"];
  /** Present if the process ran under an instrument, whose overhead makes its times invalid. */
  readonly instructions?: Sample["instructions"];
  /** The function's return value, as text if it is not JSON; absent if the function failed. */
  readonly payload?: unknown;
  /** The environment that answered, if the target can identify it. */
  readonly environment?: CalledEnvironment;
  /** The tail of the function's output, if the target has it. */
  readonly log?: string;
  readonly error?: { readonly type: string; readonly message: string };
}

/** An execution environment, as its target identifies it. */
export interface CalledEnvironment {
  readonly id: string;
  /** Calls that the environment received before this one; 0 for a new one. */
  readonly invocation: number;
  /** Inits that failed since the call before, if the target learns of them with the environment. */
  readonly failedInits?: FailedInit[];
}

/** An invocation whose telemetry can be fetched later. */
export type AnsweredInvocation = Invocation & Required<Pick<Invocation, "requestId">>;

export interface LateTelemetry {
  readonly byRequestId: ReadonlyMap<string, Telemetry>;
  /**
   * Why reports were refused, by request id.
   * @default none was refused
   */
  readonly refused?: ReadonlyMap<string, string>;
  /** Why some of the telemetry is missing. */
  readonly missing?: string;
}

/** Late telemetry, and the environments by request id; unknown ones are left out. */
export interface LateEnvironments extends LateTelemetry {
  readonly environments: ReadonlyMap<string, CalledEnvironment>;
}

/** The event of one of Kelvin's functions: the operation and its parameters. */
export interface MeasuredEvent {
  readonly operation: string;
  readonly [parameter: string]: string | number;
}

/** A system whose functions can be invoked and forced cold: AWS, this machine, a fake in tests. */
export interface Target {
  readonly kind: Sample["target"];
  /**
   * Returns the problem with a result that follows another contract; undefined if it conforms. Such a result has the
   * environment's boot id and invocation count, but not necessarily variant or runtime.
   * @default the contract of a measured function's result
   */
  readonly resultProblem?: (result: unknown) => InvalidInput | undefined;
  /**
   * Makes the cell's next invocation start in a new execution environment. Returns how much
   * that was throttled, if the target counts it. Throws on failure; the trial is then recorded as a failure of its cell.
   */
  forceCold(cell: Cell): Promise<ForcedCold | undefined>;
  /**
   * Calls the cell's function once, without any retry; a user's function takes any JSON.
   * @param operation the plan's name of the operation, which may determine the spacing.
   */
  invoke(cell: Cell, event: unknown, operation?: string): Promise<Invocation>;
  /**
   * Returns the CPU model that the environment with this boot id sees; undefined if it does not answer. Called after
   * the environment's last measured call; never throws. Absent if the caller knows the machine.
   */
  cpuModel?(cell: Cell, bootId: string): Promise<string | undefined>;
  /**
   * Returns the telemetry of invocations that were answered without it. Never called between two measured calls;
   * takes a bounded time and never throws. Absent if every answer comes with its telemetry.
   * @param mayWait if false, returns only what is available now.
   */
  lateTelemetry?(
    cell: Cell,
    invocations: readonly AnsweredInvocation[],
    mayWait: boolean,
  ): Promise<LateTelemetry>;
  /**
   * Returns the environments of a trial's invocations of a user's function, and the telemetry of those answered
   * without it; takes a bounded time, like lateTelemetry. Absent if each invocation identifies its environment.
   * @param invocations all known ones of the trial: any others in the logs are someone else's.
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
  /** Number of earlier attempts; present if the trial is made again. */
  readonly attempt?: number;
  /** Boot ids of the cell's previous environments; this trial's is added. */
  readonly seenBootIds: Set<string>;
}

/** One invocation of a trial. */
export interface Step {
  readonly phase: Sample["phase"];
  readonly operation: string;
  readonly discarded: boolean;
}
