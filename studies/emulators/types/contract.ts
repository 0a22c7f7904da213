// Generated from ../schemas by `npm run generate`. Do not edit.

/** Result of one operation on an engine that emulates DynamoDB. Times are from the driver's own monotonic clock, in milliseconds. */
export interface EngineResult {
  operation: string;
  /** The engine and its state. */
  variant: string;
  /** Duration of the whole operation, including building items and verifying answers. */
  durationMs: number;
  /** Duration of each request, in order; for a paginated one all pages together; for a pipeline each test. */
  latenciesMs: number[];
  /** Number of items written, read or changed. */
  itemsCount: number;
  /** Number of answers that differ from those the workload computes. */
  wrongAnswers: number;
  /** First wrong answer. */
  wrongAnswer?: string;
  /** Resident set of the engine's process after the operation; for an embedded engine, that of the driver. */
  memoryUsedKb?: number;
  /** Size of the engine's table files after the operation, including journals; absent if it keeps tables in memory. */
  diskBytes?: number;
  fidelity?: Behaviour[];
  /** Random id, created once per process. */
  bootId: string;
  /** True on the process's first operation. */
  coldStart: boolean;
  /** Number of this process's earlier operations; 0 for the first. */
  invocation: number;
}
export interface Behaviour {
  behaviour: string;
  /** Behaviour of DynamoDB. */
  expected: string;
  /** Behaviour of this engine. */
  found: string;
  agrees: boolean;
}
/** Single calls of the embedded engine as timed by criterion: micro.json in the folder of a comparison of engines. They are not samples of its plan. */
export interface MicroBenchmarks {
  schemaVersion: 1;
  /** ISO 8601. */
  measuredAt: string;
  /** Processor, memory, system. */
  machine: string;
  versions: {
    [k: string]: string;
  };
  /** @minItems 1 */
  calls: MicroCall[];
}
export interface MicroCall {
  call: string;
  medianNs: number;
  lowNs: number;
  highNs: number;
  /** Confidence of the interval from low to high, which criterion computes by bootstrap. */
  confidence: number;
}
