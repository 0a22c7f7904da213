// Generated from ../schemas by `npm run generate`. Do not edit.

/** What an operation on an engine came to that takes DynamoDB's place. Times are by the driver's own monotonic clock, in milliseconds. */
export interface EngineResult {
  operation: string;
  /** The engine and its state. */
  variant: string;
  /** The whole operation: items built and answers verified included. */
  durationMs: number;
  /** Of each request, in its order; of a paginated one all pages; of a pipeline each test. */
  latenciesMs: number[];
  /** Items written, read or changed. */
  itemsCount: number;
  /** Answers that are not those of the workload's own arithmetic. */
  wrongAnswers: number;
  /** The first of them. */
  wrongAnswer?: string;
  /** Resident set of the engine's process afterwards; of an embedded one, of the driver's. */
  memoryUsedKb?: number;
  /** Of the files in which the engine keeps its tables, journals included, afterwards; absent of one that keeps them in memory. */
  diskBytes?: number;
  fidelity?: Behaviour[];
  /** Random, made once a process. */
  bootId: string;
  /** True on the process's first operation. */
  coldStart: boolean;
  /** Counts this process's operations from 0. */
  invocation: number;
}
export interface Behaviour {
  behaviour: string;
  /** What DynamoDB does. */
  expected: string;
  /** What this engine did. */
  found: string;
  agrees: boolean;
}
/** Single calls of the embedded engine as criterion times them: micro.json in the folder of a comparison of engines. They are no samples of its plan. */
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
  /** Of the interval from low to high, which criterion draws by its bootstrap. */
  confidence: number;
}
