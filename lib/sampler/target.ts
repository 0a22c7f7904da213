import type { InvalidInput } from "../contract/errors.ts";
import type {
  Block,
  Cell,
  ForcedCold,
  Plan,
  Sample,
  Telemetry,
  Trial,
} from "../contract/types/contract.ts";

/** The outcome of one call of a function. A failure of measurement is a value here, never thrown. */
export interface Invocation {
  readonly requestId?: string;
  /** Start of the call, ISO 8601, UTC. */
  readonly startedAt: string;
  readonly clientLatencyMs?: number;
  readonly telemetry?: Telemetry;
  /** The reason why a report that came with the answer was refused. */
  readonly telemetryRefused?: string;
  /** The log was truncated and did not contain its REPORT. */
  readonly logTruncated?: boolean;
  /** The answer came without telemetry, which the target may have later. */
  readonly telemetryAwaited?: boolean;
  /** The telemetry came neither with the answer nor at once, but from the function's log. */
  readonly telemetryFromLogs?: boolean;
  /** Time from the dispatch of the event to the first byte of a streamed answer. */
  readonly firstByteMs?: number;
  /** CPU time of the call; present on this machine, where it is counted by process. */
  readonly cpu?: Sample["cpu"];
  /** Present if the process ran under an instrument: its times are not the function's. */
  readonly instructions?: Sample["instructions"];
  /** The function's return value, as text if it is not JSON; absent if the function failed. */
  readonly payload?: unknown;
  /** The environment that was called, if the target can tell one from another. */
  readonly environment?: CalledEnvironment;
  /** The tail of the function's output, if the target has it. */
  readonly log?: string;
  readonly error?: { readonly type: string; readonly message: string };
}

/** An execution environment as its target knows it. */
export interface CalledEnvironment {
  readonly id: string;
  /** Calls that the environment received before this one; 0 for a new one. */
  readonly invocation: number;
}

/** An invocation whose telemetry can be fetched later. */
export type AnsweredInvocation = Invocation & Required<Pick<Invocation, "requestId">>;

export interface LateTelemetry {
  readonly byRequestId: ReadonlyMap<string, Telemetry>;
  /**
   * The reasons why existing reports were refused, by request id.
   * @default none was refused
   */
  readonly refused?: ReadonlyMap<string, string>;
  /** The reason why some of the telemetry is missing. */
  readonly missing?: string;
}

/** Late telemetry with the environments of the invocations, by request id; unknown ones are left out. */
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
   * The problem with a result of another contract than a measured function's; undefined if it conforms. Such a
   * result has the environment's boot id and its count of invocations, but need not name variant or runtime.
   * @default the contract of a measured function's result
   */
  readonly resultProblem?: (result: unknown) => InvalidInput | undefined;
  /**
   * Makes the cell's next invocation meet a new execution environment. Returns what that took, if the
   * target counts it. Throws if it fails; the trial is then recorded as a failure of its cell.
   */
  forceCold(cell: Cell): Promise<ForcedCold | undefined>;
  /**
   * Calls the cell's function once, with no retry of any kind; a user's function takes any JSON.
   * @param operation the plan's name of the operation, by which the call may be spaced.
   */
  invoke(cell: Cell, event: unknown, operation?: string): Promise<Invocation>;
  /**
   * The CPU model as the environment of this boot id sees it; undefined if it does not answer. Called after
   * the environment's last measured call; never throws. Absent if the caller knows the machine.
   */
  cpuModel?(cell: Cell, bootId: string): Promise<string | undefined>;
  /**
   * The telemetry of invocations that were answered without it. Never called between two measured calls;
   * bounded in time, never throws. Absent if every answer comes with its telemetry.
   * @param mayWait false: returns only what is available now.
   */
  lateTelemetry?(
    cell: Cell,
    invocations: readonly AnsweredInvocation[],
    mayWait: boolean,
  ): Promise<LateTelemetry>;
  /**
   * The environments of a trial's invocations of a user's function, with the telemetry of those that were
   * answered without it; bounded like lateTelemetry. Absent if each invocation names its environment.
   * @param invocations all known ones of the trial: any others found there were somebody else's.
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
  /** Present if the trial was started before and is made again. */
  readonly attempt?: number;
  /** Boot ids of the cell's earlier environments; this trial's is added. */
  readonly seenBootIds: Set<string>;
}

/** One invocation of a trial. */
export interface Step {
  readonly phase: Sample["phase"];
  readonly operation: string;
  readonly discarded: boolean;
}
