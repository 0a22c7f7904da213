// Generated from ../schemas by `npm run generate`. Do not edit.

/** Event of a measured function. The same fields may be under queryStringParameters, where every value is a string and op is accepted for operation. */
export type FunctionEvent = Event;
/** Reason why there is no next look. */
export type StoppingReason =
  "precision" | "maxSamples" | "maxMinutes" | "maxCostUsd" | "largestPlan";
/** Limit that determined the number of blocks. */
export type BlockBound = "maxSamples" | "maxCostUsd" | "largestPlan";
/** Price of a GB-second, a request or a transition, a fraction of a cent: a larger number is a price per million. */
export type UnitUsd = number;
/** Result of a measured function. Times are from the function's own monotonic clock, in milliseconds. */
export type FunctionResult = Result;

/** The answer expected from a user's function. A call with a different answer is recorded but not counted in any figure. */
export interface ExpectedAnswer {
  /** Any JSON. The answer must contain an object's fields with these values; an array or a single value must be equal. If the answer's body is JSON text, it is parsed first. */
  subset?: unknown;
  /** The expected value of the answer's field statusCode. */
  statusCode?: number;
}
/** One new environment of every cell, in a seeded order. */
export interface Block {
  index: number;
  trials: Trial[];
}
/** One new execution environment of one cell: cold, second, then the warm operations in their order. */
export interface Trial {
  cellId: string;
  warmOrder: string[];
}
/** The same functions measured on one machine and on Lambda. Later local runs on that machine are predicted with it, in addition to the published figures. Absent if the machine was not calibrated. */
export interface Calibration {
  schemaVersion: 1;
  createdAt: string;
  /** CPU model of the machine of the local run. */
  cpuModel: string;
  speed: SpeedProbe;
  awsRunId: string;
  /** Time when the run on Lambda started, or was imported. */
  awsRunAt: string;
  localRunId: string;
  /** Region of the run on Lambda. Absent: not recorded. */
  region?: string;
  /**
   * Architectures of the functions on Lambda.
   *
   * @minItems 1
   */
  architectures: ("arm64" | "x86_64")[];
  /** @minItems 1 */
  calls: CalibratedCall[];
}
/** Speed of the machine at the start of the local run. */
export interface SpeedProbe {
  /** Times of different versions cannot be compared. Version 1 stored minimum times. */
  schemaVersion: 1 | 2;
  /** Cryptography of both sides of a TLS 1.3 handshake. */
  handshakeMs: number;
  /** Ten thousand rounds of PBKDF2 with SHA-256. Absent in old runs. */
  hashMs?: number;
  /** Loops and calls in Python. Absent if the run uses no Python of Kelvin's. */
  interpreterMs?: number;
  /** Creation and lookup of small objects in Python. Absent if the run uses no Python of Kelvin's. */
  allocationMs?: number;
}
/** Means of one call of one function, measured locally and on Lambda. */
export interface CalibratedCall {
  /** Experiment and variant, which identify a function. */
  function: string;
  operation: string;
  architecture: "arm64" | "x86_64";
  /**
   * Kinds that the function may be; several for a user's own.
   *
   * @minItems 1
   */
  kinds: CalibratedKind[];
  memoryMb: number;
  call: "first" | "warm";
  /** Simulated network delay of a first request. */
  networkMs: number;
  /** Simulated network delay of each later request. */
  answerMs?: number;
  artefactMb?: number;
  local: LocalMeans;
  lambda: LambdaMeans;
}
export interface CalibratedKind {
  family: "native" | "python" | "node";
  work: "service" | "fan-out" | "compute";
  gathersJitter: boolean;
}
export interface LocalMeans {
  durationMs: number;
  /** Standard deviation of the mean's logarithm, from its confidence interval. */
  durationSpread: number;
  initMs?: number;
  initSpread?: number;
  warmupMs?: number;
}
export interface LambdaMeans {
  durationMs: number;
  durationSpread: number;
  initMs?: number;
  initSpread?: number;
}
/** One deployed function: variant x memory x architecture (x workers). */
export interface Cell {
  /** Unique in a plan, for example rust-arm64-128. */
  id: string;
  variant: string;
  /** Lambda's runtime identifier, for example provided.al2023. */
  runtime: string;
  architecture: "arm64" | "x86_64";
  /** Memory size of the Lambda function, at most 10240; or the machine's memory, for an engine that may use all of it. */
  memoryMb: number;
  workers?: number;
  /** Id of the cell that this one is a second deployment of (the A/A pair). */
  replicaOf?: string;
}
/** Input of a run on AWS. The driver checks cells against the deployed ones, and parses the percentage as typed ("5%"). Comment may have any value and is ignored: the console's input box starts with {"Comment": "Insert your JSON here"}. https://docs.aws.amazon.com/step-functions/latest/dg/getting-started.html */
export interface ConsoleInput {
  experiment?: unknown;
  variants?: unknown;
  memoryMb?: unknown;
  architectures?: unknown;
  preset?: "quick" | "standard";
  cold?: number;
  warm?: number;
  seed?: number;
  lanes?: number;
  maxCostUsd?: number;
  untilPrecision?: unknown;
  /**
   * @minItems 1
   * @maxItems 20
   */
  limits?: string[];
  maxSamples?: number;
  maxMinutes?: number;
  Comment?: unknown;
}
/** Expected time and cost of a run, computed before it starts. */
export interface Estimate {
  /** Number of calls of the measured functions that give samples. */
  invocations: number;
  /** Number of all calls of the measured functions: on AWS each trial of Kelvin's own makes one more, and each function one with each event before the first block. */
  calls?: number;
  minutes: number;
  time?: TimeTerms;
  /** State machine transitions. */
  transitions: number;
  costUsd: number;
  /** costUsd if every call took until its function's timeout. Absent if the target is not AWS. */
  costAtTimeoutUsd?: number;
  /** Number of configuration items that AWS Config records if it records functions continuously; in no sum. Absent if the target is not AWS. */
  configurationItems?: number;
  /** Cost of the configuration items. Absent if their price is not known. */
  configurationItemsUsd?: number;
  /** Cost of one AWS Config rule that evaluates each configuration item; in no sum. Absent if its price is not known. */
  ruleEvaluationsUsd?: number;
  pricesDate: string;
  pricesRegion: string;
}
/** Terms that add up to the minutes, in ms. For each block they are those of the trial that ends last. */
export interface TimeTerms {
  /** Time before the first experiment and after the last. */
  runMs: number;
  /** Time before each experiment's first block and after its last. */
  experimentsMs: number;
  /** Time to call each function once with each event before the first block, and to check that block. */
  triesMs: number;
  /** Time to start and end each block. */
  blocksMs: number;
  /** Time until a trial's turn to be forced cold: the control plane accepts 15 updates a second. */
  updateSlotsMs: number;
  /** Time until the updated function can be invoked. */
  forceColdMs: number;
  /** Time to start and end each trial. */
  trialsMs: number;
  /** Time of the calls themselves. */
  callsMs: number;
  /** Time between the calls, required by the limits of Lambda and the services. */
  spacingMs: number;
  /** Additional time of a block because there are fewer lanes than cells. */
  sharedLanesMs: number;
}
export interface Event {
  /** describe: does no work and measures nothing; the answer describes the machine as the process sees it. */
  operation:
    | "get"
    | "put"
    | "query"
    | "batch_write"
    | "fibonacci"
    | "vector"
    | "hash"
    | "fanout"
    | "batch_write_get"
    | "sha256_chain"
    | "noop"
    | "describe";
  /** Partition key; get and query: default seed; put and batch_write: default put-<bootId> and batch-<bootId>. */
  pk?: string;
  /** Sort key; get only: default item-00. */
  sk?: string;
  /** batch_write only; default 25. */
  itemCount?: number;
  /** fibonacci only, required: index of the number. */
  n?: number;
  /** hash and fanout only: number of items or objects; default 20 for hash, and for fanout 100, which is also the maximum. */
  count?: number;
  /** sha256_chain only: number of consecutive hashes; default 1000000. */
  rounds?: number;
  /** hash only; default auto: parallel with more than one worker and more than one item. */
  mode?: "sequential" | "parallel" | "auto";
  /** fanout only: number of concurrent calls. Default: for python-executor the default executor's threads, for python-aioboto3 all at once behind its pool, for rust-concurrent 10; a serial variant accepts only 1. */
  concurrency?: number;
  /** fanout only: number of connections that boto3's client keeps; default 10, which is boto3's own. The SDK for Rust has no such limit. */
  poolSize?: number;
}
/** A user's own functions, the events that they are invoked with and the answers expected from them: the input of kelvin measure. Paths are relative to the file. */
export interface FunctionsFile {
  $schema?: string;
  schemaVersion: 1;
  /**
   * The first one is the base that the others are compared with.
   *
   * @minItems 1
   * @maxItems 20
   */
  functions: MeasuredFunction[];
  /**
   * Architectures on AWS; a local run uses the machine's own. If absent, the one that the artefacts are built for, otherwise arm64.
   *
   * @minItems 1
   */
  architectures?: ("arm64" | "x86_64")[];
  /**
   * Memory sizes in MB. If absent, 128, 512, 1024 and 1769.
   *
   * @minItems 1
   */
  memoryMb?: number[];
  /** Timeout of a call in seconds. If absent, 30. */
  timeoutSeconds?: number;
  /**
   * The events that the functions are invoked with, by name. Cold calls use the first one; warm calls use all of them.
   *
   * @minItems 1
   * @maxItems 20
   */
  events: NamedEvent[];
  services?: EmulatedData;
}
export interface MeasuredFunction {
  name: string;
  /** The zip or folder that would be uploaded to Lambda; for AWS also a container image in ECR by its digest, REPOSITORY@sha256:DIGEST. */
  artefact: string;
  artefactByArchitecture?: ArtefactByArchitecture;
  /** Name of a function earlier in the list that differs in only one factor: the artefact, the runtime, the handler, one environment variable, the layers, the permissions, or one of the settings on AWS. The two are compared by time and by cost. */
  differsFrom?: string;
  /** Lambda's runtime identifier. If absent, it is detected from the artefact, which must be unambiguous; a container image has none. */
  runtime?: string;
  /** The handler, in the format of Lambda's configuration. If absent, it is detected from the artefact, which must be unambiguous. */
  handler?: string;
  /** Environment variables. */
  environment?: {
    [k: string]: string;
  };
  /** Environment variables of the original function whose values were not copied; fill them in under environment. */
  secretNames?: string[];
  /**
   * The content of the function's layers, in order, for local runs: zips or folders as they would be uploaded.
   *
   * @minItems 1
   * @maxItems 5
   */
  layerArtefacts?: string[];
  /**
   * ARNs of layer versions. They apply only on AWS: they are not downloaded for a local run. A function may have five: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
   *
   * @maxItems 5
   */
  layers?: string[];
  permissions?: FunctionPermissions;
  aws?: CopySettings;
}
/** Artefacts by architecture, used instead of artefact. */
export interface ArtefactByArchitecture {
  arm64?: string;
  x86_64?: string;
}
/** Permissions of the copy on AWS, in addition to writing its logs. If absent, none. */
export interface FunctionPermissions {
  /** An existing role. It is used unchanged: nothing is added to it. */
  roleArn?: string;
  /** ARNs of managed policies, or names of AWS managed policies. */
  managedPolicies?: string[];
  statements?: PolicyStatement[];
}
export interface PolicyStatement {
  /** @minItems 1 */
  actions: string[];
  /** @minItems 1 */
  resources: string[];
}
/** Additional settings of the copy on AWS. They do not apply in local runs. */
export interface CopySettings {
  vpc?: VpcSettings;
  /** @minItems 1 */
  fileSystems?: FileSystem[];
  /** Size of /tmp. If absent, 512. */
  ephemeralStorageMb?: number;
  /** Whether X-Ray's active tracing is on. If absent, it is off. */
  xrayTracing?: boolean;
  image?: ImageSettings;
}
export interface VpcSettings {
  /** @minItems 1 */
  subnetIds: string[];
  /** @minItems 1 */
  securityGroupIds: string[];
  ipv6AllowedForDualStack?: boolean;
}
export interface FileSystem {
  /** ARN of an access point of Amazon EFS or S3 Files. */
  arn: string;
  localMountPath: string;
  /** Only for S3 Files; same as in Lambda's configuration. */
  directS3Read?: string;
}
/** Overrides for the container image's ENTRYPOINT, CMD and WORKDIR. */
export interface ImageSettings {
  entryPoint?: string[];
  command?: string[];
  workingDirectory?: string;
}
export interface NamedEvent {
  name: string;
  /** Any JSON; it is passed on unchanged. */
  payload: unknown;
  expected?: ExpectedAnswer;
}
/** Services that are emulated for the functions in local runs. They are not created on AWS, where the functions use their own. */
export interface EmulatedData {
  /** DynamoDB tables, each in the format of aws dynamodb create-table --cli-input-json. */
  tables?: {}[];
  /** Names of S3 buckets. */
  buckets?: string[];
  /** Items that the tables have when a run begins, by table, in the format of aws dynamodb batch-write-item --request-items. */
  items?: {
    [k: string]: {}[];
  };
  /** Folders by bucket, whose files are the bucket's objects when a run begins, named by their paths. */
  folders?: {
    [k: string]: string;
  };
}
/**
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "limit".
 */
export interface Limit {
  /** Cold: Init and the first Duration. Second and warm: Duration, of each operation. Memory: the most that an environment used. Package: the artefact as deployed. */
  quantity: "cold" | "second" | "warm" | "memory" | "package";
  /** Statistic of a time. Absent for memory and package. */
  statistic?: "mean" | "median" | "p95" | "p99";
  /** Limit in ms, or in MB of 1,048,576 bytes. */
  below: number;
}
/** Record of a run: its numbers of planned, kept and rejected samples, and the system that it ran on. */
export interface Manifest {
  schemaVersion: 1;
  runId: string;
  experiment: string;
  /** imported: someone else invoked the functions, and Lambda's figures were read from their logs. */
  target: "aws" | "local" | "fake" | "imported";
  status: "running" | "complete" | "partial";
  startedAt: string;
  endedAt?: string;
  counts: SampleCounts;
  imported?: ImportedOrigin;
  /** Why the run ended early or not as planned, as a sentence without its full stop. Absent if nothing ended it early, or if the reason is not known. */
  endedEarly?: string;
  /** What the run had cost when its report was written: the items of the estimate, with its calls as they were billed. Absent if the target is not AWS or a price is not known. */
  costUsd?: number;
  cellFailures: CellFailure[];
  artefacts: Artefact[];
  versions: {
    [k: string]: string;
  };
  region?: string;
  machine?: Machine;
  noise?: MachineNoise;
  floor?: InstrumentFloor;
  speed?: SpeedProbe1;
  calibration?: Calibration;
  prices: PricesUsed;
  stopping?: StoppingLook;
  /** Users' functions that listen on a port: only one environment was alive at a time, because all share one network on this machine. */
  listening?: string[];
  /** Calls of users' functions that nothing on this machine answers, as unmeasured calls before the run showed. */
  unavailableCalls?: UnavailableCalls[];
  warnings: string[];
}
export interface SampleCounts {
  planned: number;
  recorded: number;
  kept: number;
  /** Count by reason. */
  rejected: {
    [k: string]: number;
  };
  /** Those rejected as init-repeated whose Init only took too long: they are not lost. */
  initTimeouts?: number;
  /** Number of calls of the control plane, while environments were forced cold, that were answered with a throttling error. Absent if no sample counted them. */
  throttledCalls?: number;
}
/** Sources of an imported run; absent for other runs. */
export interface ImportedOrigin {
  /** A sample is cold if Lambda reported an Init Duration, or with SnapStart a Restore Duration: no boot id verifies it. */
  temperature: "init-duration-alone";
  logStreams?: ImportedStreams;
  everyInvocation?: ImportedInvocations;
  /**
   * Times when the invocations were reported, by cell. A cell whose source has no times is left out; absent if no source has any.
   *
   * @minItems 1
   */
  windows?: ImportedWindow[];
  /** @minItems 1 */
  sources: ImportedSource[];
  /**
   * Means that another tool computed from invocations that it did not pass on: figures without samples and without an interval.
   *
   * @minItems 1
   */
  averages?: ImportedAverage[];
}
/** Log streams, each of which is an environment. Absent if no source names any: each invocation then counts as a separate environment. */
export interface ImportedStreams {
  streams: number;
  /** Number of samples in these streams. */
  samples: number;
  /** Number of samples whose source names no stream: each counts as a separate environment. */
  samplesWithout: number;
  /** Fewest samples in one stream. */
  fewestSamples: number;
  /** Most samples in one stream. */
  mostSamples: number;
}
/** Counts of all invocations in the sources' time. Absent if some may be missing: rows of Logs Insights may be a selection, and some reports may be unreadable. */
export interface ImportedInvocations {
  cold: number;
  warm: number;
}
export interface ImportedWindow {
  cellId: string;
  from: string;
  to: string;
}
export interface ImportedSource {
  /** The file's name, stdin, or the log group's name. */
  name: string;
  format: "report" | "events" | "insights" | "power-tuning" | "log-group";
  sha256?: string;
  /** Number of log lines, events, rows or averages. */
  read: number;
  taken: number;
  /** Number of taken reports that a local emulator printed, not Lambda. Absent if there is none. */
  emulated?: number;
  /** Count by reason. */
  notTaken: {
    [k: string]: number;
  };
}
export interface ImportedAverage {
  cellId: string;
  durationMs: number;
  /** Cost of one invocation, as computed by the tool. */
  costUsd?: number;
}
/** A trial that could not be made or finished; the other cells continued. */
export interface CellFailure {
  cellId: string;
  block: number;
  type: string;
  message: string;
}
export interface Artefact {
  variant: string;
  architecture: "arm64" | "x86_64";
  /** SHA-256 of the unpacked binary or of the source archive; on AWS Lambda's CodeSha256. */
  sha256?: string;
  /** Unpacked size. */
  sizeBytes?: number;
  /** Size as deployed. */
  zipBytes?: number;
  /** Build settings: profile, target, crypto provider, ... */
  build?: {
    [k: string]: string;
  };
}
export interface Machine {
  os: string;
  cpuModel: string;
  cpus: number;
  memoryMb: number;
  cpuQuota: "cgroup-v1" | "cgroup-v2" | "unthrottled";
  /** CPU bandwidth slice: the pieces in which the kernel distributed the CPU quota to the CPUs while functions were measured. Absent: unthrottled, or not known. */
  bandwidthSliceMs?: number;
  /** True if the threads of each function with at most one CPU stayed on one CPU after Init, so that none waited for quota that another CPU held. Absent: they did not. */
  staysOnOneCpu?: boolean;
  memoryLimit: "cgroup-v1" | "cgroup-v2" | "unlimited";
  /** Transport to DynamoDB, for example TLS 1.3 on loopback. */
  transport?: string;
  networkProfile?: string;
}
/** Other load on the machine while it measured, block by block. Absent if it was not read: on other systems than Linux, on AWS, and in old runs. */
export interface MachineNoise {
  /** Time spent waiting for a quiet machine, if requested. */
  waitedSeconds?: number;
  intervals: NoiseInterval[];
}
export interface NoiseInterval {
  block: number;
  seconds: number;
  /** Average number of CPUs used by processes that are not part of the run. */
  otherCpus: number;
  /** Average number of CPUs that the hypervisor gave to others while this machine needed them. */
  stolenCpus: number;
  /** Share of the time in which some task waited for a CPU, including the run's own throttled functions (pressure stall information). Absent if the kernel does not report it. */
  waitingShare?: number;
  /** Load average of the last minute, at the end. */
  load?: number;
  speed?: SpeedProbe1;
}
/** Speed of the machine at tasks that functions do: medians of CPU times. Only in local runs. */
export interface SpeedProbe1 {
  /** Times of different versions cannot be compared. Version 1 stored minimum times. */
  schemaVersion: 1 | 2;
  /** Cryptography of both sides of a TLS 1.3 handshake. */
  handshakeMs: number;
  /** Ten thousand rounds of PBKDF2 with SHA-256. Absent in old runs. */
  hashMs?: number;
  /** Loops and calls in Python. Absent if the run uses no Python of Kelvin's. */
  interpreterMs?: number;
  /** Creation and lookup of small objects in Python. Absent if the run uses no Python of Kelvin's. */
  allocationMs?: number;
}
/** Overhead of the local host, measured with a function that does nothing, at full CPU. */
export interface InstrumentFloor {
  n: number;
  environments: number;
  /** Median of the warm calls. */
  durationMs: number;
  /** 5th percentile of the warm calls. */
  durationLowMs: number;
  /** 95th percentile of the warm calls. */
  durationHighMs: number;
  /** Median Init. */
  initDurationMs: number;
}
export interface PricesUsed {
  date: string;
  region: string;
}
/** Result of the last look at the samples by the stopping rule. Absent: there was no look, or there is no rule. */
export interface StoppingLook {
  /** Number of blocks measured before the look. */
  blocks: number;
  /** Minutes used before the look. */
  minutes: number;
  /** Number of ratios in the report. If the run chooses memory sizes: number of its choices, three for each function. */
  ratios: number;
  /** Number of ratios that are not precise enough yet, or of choices not decided. */
  wide: number;
  /** Half-width of the widest interval, as a share of the ratio. Absent: no ratio has an interval. */
  widest?: number;
  /** Number of blocks before the next look. Absent: there is none. */
  nextLook?: number;
  endedBy?: StoppingReason;
}
export interface UnavailableCalls {
  variant: string;
  /** @minItems 1 */
  calls: string[];
}
/** An expanded experiment: its cells, the order of its trials, the seed of that order, the sizes. For an imported run: the cells that were found, and the number of invocations that count as environments; nothing was planned, and its only block has no trial. */
export interface Plan {
  schemaVersion: 2;
  runId: string;
  experiment: string;
  /** imported: someone else invoked the functions, and Lambda's figures were read from their logs. */
  target: "aws" | "local" | "fake" | "imported";
  preset: "quick" | "standard" | "imported";
  seed: number;
  createdAt: string;
  /**
   * A stack has fewer than the maximum, and a report of that many takes less than a minute of CPU time.
   *
   * @minItems 1
   * @maxItems 300
   */
  cells: Cell[];
  /** Operation of the cold and the second invocation. */
  coldOperation: string;
  /** @minItems 1 */
  warmOperations: string[];
  /** Parameters and required results by operation. An operation that is missing here has no parameters, and its result is not checked. */
  requests?: {
    [k: string]: OperationRequest;
  };
  /** True if the functions are a user's own, whose results follow no contract of Kelvin's: the target identifies environments. Absent: results identify their process. */
  ownResults?: true;
  /** True if the functions use no table, so that their operations cost nothing at DynamoDB. */
  withoutTable?: true;
  /** True if the functions use objects in S3. */
  withBucket?: true;
  /** Idle time of an environment before each call but the first, to which up to 20 ms are added at random; local runs only. Absent: each call follows the one before immediately. */
  idleMs?: number;
  network?: NetworkProfile;
  /** Expected durations of the phases, by language; absent: those of the dynamodb experiment. */
  priors?: {
    [k: string]: SeenDurations;
  };
  sizes: PlanSizes;
  /** @minItems 1 */
  blocks: Block[];
  stopping?: StoppingRule;
  verdicts?: VerdictRule;
  /**
   * Limits that each function must stay below at each size, if requested.
   *
   * @minItems 1
   * @maxItems 20
   */
  limits?: Limit[];
  instrumented?: InstrumentedPart;
  /** Number of cells measured at the same time. */
  lanes: number;
  /** Minimum time from the start of a call to that of the next one in its environment; absent: each call follows the one before immediately. */
  callSpacingMs?: number;
  /** The same before a call of these operations, for which a service has a lower limit; absent: callSpacingMs before each. */
  operationSpacingMs?: {
    [k: string]: number;
  };
  timeoutSeconds: number;
  estimate?: Estimate;
  /**
   * Variants declared to differ from another variant in only one factor. Absent: none. Architectures of a plan are compared without being listed here.
   *
   * @minItems 1
   * @maxItems 20
   */
  factors?: DeclaredFactor[];
  /** Requested parts that are not among the cells, each with its reason. */
  leftOut?: string[];
  prices?: Prices;
  warnings: string[];
}
export interface OperationRequest {
  /** Name of the operation in the event; absent: the same as in the plan. Two operations of a plan may be the same one of the function, with different parameters. */
  operation?: string;
  /**
   * Variants that make this warm operation; absent: all.
   *
   * @minItems 1
   */
  variants?: string[];
  /** Number of its first warm calls in an environment, before those that are kept; absent: as in sizes. */
  discardedCalls?: number;
  /** Fields of the event other than the operation. */
  parameters?: {
    [k: string]: string | number;
  };
  /** Required fields of the result: a sample with other values is rejected. */
  expected?: {
    [k: string]: string | number;
  };
  /** The whole event of a user's function, passed on unchanged. Absent: the operation and its parameters. */
  event?: unknown;
  answer?: ExpectedAnswer;
}
/** Simulated network in a local run: the delay of each request in addition to the service's own time. Absent: loopback. */
export interface NetworkProfile {
  delayMs: number;
  /** Largest deviation of a delay, up or down; uniformly distributed, drawn by the plan's seed. */
  jitterMs: number;
  /** Time to open a connection: the DNS lookup, if it is counted, and the round trips of TCP and TLS. Absent: connections are not delayed, as in old runs. */
  connectMs?: number;
}
/** Durations as measured at this memory size, ms. */
export interface SeenDurations {
  memoryMb: number;
  initMs: number;
  firstMs: number;
  secondMs: number;
  /** Mean of the warm operations. */
  warmMs: number;
}
/** Numbers of environments and calls. */
export interface PlanSizes {
  /** New execution environments per cell, with one cold and one second sample each. */
  environments: number;
  /** Number of environments in which warm calls follow. */
  warmEnvironments: number;
  /** Warm calls per operation and environment, including the discarded ones. */
  warmCalls: number;
  /** Number of first warm calls that are recorded and labelled warm-up. */
  discardedCalls: number;
}
/** Blocks are measured until every ratio of the report is this precise, or the budget is used up: sizes has the minimum, and blocks the maximum. The plan's estimate covers the maximum, or the part expected to fit into maxMinutes; leastEstimate covers the minimum. Absent: all blocks are measured. */
export interface StoppingRule {
  /** Half-width of a ratio's 95% CI, as a share of the ratio. If the run chooses memory sizes: tolerance of the chosen size relative to the best one. */
  untilPrecision: number;
  /** Maximum number of invocations. */
  maxSamples: number;
  maxMinutes: number;
  /** Maximum estimated cost of all experiments of the run together. Absent: no limit. */
  maxCostUsd?: number;
  mostBlocksBy: BlockBound;
  leastEstimate?: Estimate;
  sizeChoice?: SizeChoiceBasis;
}
/** Cost basis of a run that continues until the cheapest, the fastest and the balanced memory size of each function are chosen, and stops measuring sizes that are none of them. Absent: all cells are measured in every block. */
export interface SizeChoiceBasis {
  /** Share of invocations that are cold. */
  coldShare: number;
  gbSecondUsd: number;
  requestUsd: number;
  /**
   * Limits: a size is still measured while it is undecided whether it meets them. Absent: none.
   *
   * @minItems 1
   * @maxItems 20
   */
  limits?: Limit[];
}
/** Margin and error rate for reporting a difference, if requested. Default: 5% for both. */
export interface VerdictRule {
  /** Smallest relative difference that matters. */
  margin: number;
  /** Accepted share of runs with at least one false difference among all that the run reports. */
  errorRate: number;
}
/** Trials under callgrind, made after the blocks and not part of them: they count instructions, and their times are not used. */
export interface InstrumentedPart {
  sizes: PlanSizes;
  /** @minItems 1 */
  blocks: Block[];
}
export interface DeclaredFactor {
  /** The factor that differs: runtime, layers or the like, or the name of an environment variable. */
  factor: string;
  variant: string;
  baseline: string;
}
/** AWS prices as retrieved for this run. Absent: Kelvin's own table. */
export interface Prices {
  /** Date of the table, YYYY-MM-DD. */
  date: string;
  /** @minItems 1 */
  sources: {
    url: string;
    /** Prices that come from this source, with notes on it. */
    gives: string;
  }[];
  regions: {
    [k: string]: RegionPrices;
  };
  configurationItemUsd?: UnitUsd;
  ruleEvaluationUsd?: UnitUsd;
}
/** On-demand prices in USD before any free tier, first tier of each; a transition is one of a Standard state machine. */
export interface RegionPrices {
  lambda?: {
    arm64?: {
      gbSecondUsd: UnitUsd;
    };
    x86_64?: {
      gbSecondUsd: UnitUsd;
    };
    requestUsd?: UnitUsd;
  };
  stepFunctionsTransitionUsd?: UnitUsd;
  dynamodb?: {
    readRequestUnitUsd: UnitUsd;
    writeRequestUnitUsd: UnitUsd;
  };
  /** Prices of a PUT, COPY, POST or LIST request, and of a GET or any other request. */
  s3?: {
    putRequestUsd: UnitUsd;
    getRequestUsd: UnitUsd;
  };
  /** CloudWatch Logs, Standard class, first tier. */
  logs?: {
    ingestedGbUsd: number;
  };
}
/** AWS prices by region, on a date. A price that is not known is absent, never 0 and never another region's. */
export interface Prices1 {
  /** Date of the table, YYYY-MM-DD. */
  date: string;
  /** @minItems 1 */
  sources: {
    url: string;
    /** Prices that come from this source, with notes on it. */
    gives: string;
  }[];
  regions: {
    [k: string]: RegionPrices;
  };
  configurationItemUsd?: UnitUsd;
  ruleEvaluationUsd?: UnitUsd;
}
export interface Result {
  operation:
    | "get"
    | "put"
    | "query"
    | "batch_write"
    | "fibonacci"
    | "vector"
    | "hash"
    | "fanout"
    | "batch_write_get"
    | "sha256_chain"
    | "noop"
    | "describe";
  runtime: "rust" | "python";
  /** Version of the compiler or interpreter, for example 1.95.0 or 3.13.0. */
  runtimeVersion: string;
  variant: string;
  /** Duration of the whole operation, including building its items. */
  durationMs: number;
  /** Sum of the SDK calls; more than durationMs if they run at the same time. */
  sdkCallMs?: number;
  /** Number of items read or written; finding none is an error. */
  itemsCount?: number;
  /** batch_write: number of unprocessed items that were sent again. */
  retriedItems?: number;
  /** Computed value; the plan has the expected one. */
  value?: number;
  /** Number of items processed. */
  processed?: number;
  /** Mode that was used, which auto resolves to. */
  mode?: "sequential" | "parallel";
  /** Number of threads in the pool. */
  workers?: number;
  /** Number of threads that processed at least one item. */
  threadsUsed?: number;
  /** Number of CPUs that the process saw in Init. */
  detectedCpus?: number;
  avgMsPerItem?: number;
  /** Resident set after the work, from /proc/self/statm. */
  memoryUsedKb?: number;
  /** Maximum number of concurrent calls. */
  concurrency?: number;
  /** Number of connections that the client keeps; absent if it has no such limit. */
  poolSize?: number;
  /** Random id, created once per process. */
  bootId: string;
  /** True on the process's first invocation. */
  coldStart: boolean;
  /** Number of this process's earlier invocations; 0 for the first. */
  invocation: number;
  /** Time from the end of Init to the process's first event; only in its first invocation. */
  initToFirstEventMs?: number;
  /** Name and version of the AWS SDK in the process, for example botocore 1.40.4; only in its first invocation, and absent without an SDK. */
  sdkVersion?: string;
  /** describe only: the model name from /proc/cpuinfo or, on arm64, which has none there, the numbers of implementer and part; absent if there is neither. */
  cpuModel?: string;
  /**
   * The connections that the invocation opened itself, in order; the first one includes work that a process does only once.
   *
   * @minItems 2
   * @maxItems 2
   */
  connections?: Connection[];
  /** Duration of the call that Init made to warm up the client; in every result of the process. */
  warmupMs?: number;
  /** Class of that call's failure, including its time limit; absent if it succeeded. */
  warmupError?: string;
  build?: FunctionBuild;
}
export interface Connection {
  dnsMs: number;
  tcpMs: number;
  tlsMs: number;
}
/** Build of the process, as it reports it; only in its first invocation. */
export interface FunctionBuild {
  profile: string;
  cryptoProvider: "aws-lc" | "ring";
  /** Source of the crypto provider's seed: CPU timing in addition to the system's source, or the system's alone. */
  entropy: "cpu-jitter" | "system";
  trustStore: "native" | "bundled";
  /** Size of the running binary. */
  binaryBytes: number;
}
/** One invocation, as one line of JSON. Absent values were not measured. */
export interface Sample {
  runId: string;
  experiment: string;
  /** imported: someone else invoked the functions, and Lambda's figures were read from their logs. */
  target: "aws" | "local" | "fake" | "imported";
  cell: Cell;
  operation: string;
  phase: "cold" | "second" | "warm";
  /** Each block has one new environment of every cell: (cell, block) identifies an execution environment. */
  block: number;
  /** Present if the trial was made again, after an interruption or because a used environment answered its cold call: (cell, block, attempt) then identifies the environment. */
  attempt?: number;
  /** Position of the invocation in its environment; 0 for the cold one. For an imported sample: its position among those read from its log stream, or 0 without a stream, when it counts as a separate environment. */
  sequence: number;
  requestId?: string;
  /** The execution environment as the target identifies it: a process on this machine, a log stream on AWS. Only for a user's function, whose result does not identify it. */
  environmentId?: string;
  /** Why the log stream of a call of a user's function on AWS could not be read. Init alone then decided whether it was cold. */
  environmentUnknown?: string;
  /** ISO 8601, UTC, by the caller's clock. Absent for an imported sample. */
  startedAt?: string;
  /** Time when Lambda wrote its report, ISO 8601, UTC. Only for an imported sample, if the source has it. */
  reportedAt?: string;
  /** Time from sending the request to reading the response, by the caller's clock. */
  clientLatencyMs?: number;
  telemetry?: Telemetry;
  /** What INIT_REPORT says of each Init that failed or took over 10 s before this call. Lambda then runs Init again within the call, whose Duration includes it. */
  failedInits?: FailedInit[];
  /** Time from the dispatch of the event to the first byte of a streamed answer; only in local runs. */
  firstByteMs?: number;
  forcedCold?: ForcedCold;
  /** CPU model that the environment sees, asked for in a separate call after the trial was measured; only in its last sample. Absent if there was no answer, and in local runs, whose CPU is in the manifest. */
  cpuModel?: string;
  cpu?: CpuTime;
  instructions?: InstructionCounts;
  /** The function's return value, unchanged. */
  result?: unknown;
  /** Data-quality remarks that do not exclude the sample. */
  flags?: (
    | "billed-mismatch"
    | "initialised-early"
    | "log-truncated"
    | "telemetry-from-logs"
    | "visible-cpus-below-quota"
  )[];
  /** Why the sample does not count in any statistic. */
  rejected?: {
    reason:
      | "warm-up"
      | "error"
      | "result-invalid"
      | "result-wrong"
      | "throttled"
      | "telemetry-missing"
      | "init-missing"
      | "init-repeated"
      | "init-unexpected"
      | "boot-id-changed"
      | "boot-id-reused"
      | "invoked-meanwhile"
      | "instrumented";
    detail?: string;
  };
  error?: {
    type: string;
    message: string;
  };
}
/** Lambda's own report of an invocation: the REPORT line or platform.report. Values that Lambda did not report are absent. Bounds are far beyond what is possible (1e9 ms are eleven days, 1e7 MB ten terabytes): a number outside them was not measured. */
export interface Telemetry {
  durationMs: number;
  billedDurationMs?: number;
  memorySizeMb?: number;
  maxMemoryUsedMb?: number;
  initDurationMs?: number;
  restoreDurationMs?: number;
  billedRestoreDurationMs?: number;
  /** Present if the invocation did not succeed: timeout, error, ... */
  status?: string;
  errorType?: string;
}
export interface FailedInit {
  status: "error" | "timeout";
  durationMs?: number;
  errorType?: string;
}
/** Throttling while the environment was forced cold; only for the cold sample. Absent if the target has no control plane. */
export interface ForcedCold {
  /** Number of calls of the control plane that were answered with a throttling error. */
  throttledCalls: number;
  /** Total time from those answers to the next attempts. */
  waitedMs: number;
  /** Version ARN of the function's runtime after the update. Absent if Lambda did not report it. */
  runtimeVersionArn?: string;
}
/** CPU time of the environment's processes, user and system, from the cgroup. Only in local runs, if there is a cgroup. */
export interface CpuTime {
  /** From process start to the end of Init; only for the cold sample. */
  initCpuMs?: number;
  invocationCpuMs: number;
}
/** Instructions that the process executed in user space, counted by callgrind; its times are valgrind's, so the sample is rejected as instrumented. */
export interface InstructionCounts {
  /** From process start to the end of Init; only for the cold sample. */
  init?: number;
  invocation: number;
}
