// Generated from ../schemas by `npm run generate`. Do not edit.

/**
 * What a measured function takes. The same names may come under queryStringParameters (there op is accepted for operation), every value then a string.
 */
export type FunctionEvent = Event;
/**
 * Why there is no next look.
 */
export type StoppingReason =
  "precision" | "maxSamples" | "maxMinutes" | "maxCostUsd" | "largestPlan";
/**
 * What the number of the blocks comes from.
 */
export type BlockBound = "maxSamples" | "maxCostUsd" | "largestPlan";
/**
 * A GB-second, a request or a transition costs a fraction of a cent: more is a price per million.
 */
export type UnitUsd = number;
/**
 * What a measured function returns. Times are by the function's own monotonic clock, in milliseconds.
 */
export type FunctionResult = Result;

/**
 * The answer that is expected from a user's function. A call with a different answer is recorded but not counted in any figure.
 */
export interface ExpectedAnswer {
  /**
   * Any JSON. The answer must contain an object's fields with these values; an array or a single value must be equal. If the answer's body is JSON text, it is parsed first.
   */
  subset?: unknown;
  /**
   * The expected value of the answer's field statusCode.
   */
  statusCode?: number;
}
/**
 * One new environment of every cell, in a seeded order.
 */
export interface Block {
  index: number;
  visits: Trial[];
}
/**
 * One new execution environment of one cell: cold, second, then the warm operations in their order.
 */
export interface Trial {
  cellId: string;
  warmOrder: string[];
}
/**
 * The same functions measured on one machine and on Lambda: what later local runs on that machine are predicted with, beside the published figures. A run on a machine that was not calibrated has none.
 */
export interface Calibration {
  schemaVersion: 1;
  createdAt: string;
  /**
   * Of the machine of the local run.
   */
  cpuModel: string;
  speed: SpeedProbe;
  awsRunId: string;
  /**
   * When the run on Lambda began, or was imported.
   */
  awsRunAt: string;
  localRunId: string;
  /**
   * Of the run on Lambda. Absent: not recorded.
   */
  region?: string;
  /**
   * Of the functions on Lambda.
   *
   * @minItems 1
   */
  architectures: ("arm64" | "x86_64")[];
  /**
   * @minItems 1
   */
  calls: CalibratedCall[];
}
/**
 * Of the machine, when the local run began.
 */
export interface SpeedProbe {
  /**
   * Times of different versions cannot be compared. Version 1 stored least times.
   */
  schemaVersion: 1 | 2;
  /**
   * The cryptography of both sides of a TLS 1.3 handshake.
   */
  handshakeMs: number;
  /**
   * Ten thousand rounds of PBKDF2 with SHA-256. Absent in runs of before.
   */
  hashMs?: number;
  /**
   * Loops and calls in Python. Absent where the run uses no Python of Kelvin's.
   */
  interpreterMs?: number;
  /**
   * Small objects in Python, made and looked up. Absent as above.
   */
  allocationMs?: number;
}
/**
 * The means of one call of one function, here and on Lambda.
 */
export interface CalibratedCall {
  /**
   * Experiment and variant: what counts as one function.
   */
  function: string;
  operation: string;
  architecture: "arm64" | "x86_64";
  /**
   * What the function may be; several for a user's own.
   *
   * @minItems 1
   */
  kinds: CalibratedKind[];
  memoryMb: number;
  call: "first" | "warm";
  /**
   * The simulated wait of a first request.
   */
  networkMs: number;
  /**
   * The simulated wait of each later request.
   */
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
  /**
   * Standard deviation of the mean's logarithm, from its interval.
   */
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
/**
 * variant x memory x architecture (x workers): one deployed function.
 */
export interface Cell {
  /**
   * Unique in a plan, for example rust-arm64-128.
   */
  id: string;
  variant: string;
  /**
   * Lambda's runtime identifier, for example provided.al2023.
   */
  runtime: string;
  architecture: "arm64" | "x86_64";
  /**
   * Of a Lambda function, which may have at most 10240; of an engine that has all of one machine, the machine's.
   */
  memoryMb: number;
  workers?: number;
  /**
   * Id of the cell of which this is the second deployment (the A/A pair).
   */
  twinOf?: string;
}
/**
 * What a run on AWS may be asked for. The driver holds cells against what is deployed, and reads the share as it is typed ("5%"). Comment is for people, whatever it holds: the console's input box begins with {"Comment": "Insert your JSON here"}. https://docs.aws.amazon.com/step-functions/latest/dg/getting-started.html
 */
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
/**
 * What a run is expected to take, before anything is spent.
 */
export interface Estimate {
  /**
   * Of the measured functions, as many as samples. On AWS each trial makes one more, and each function one with each event before the first block, which are none: minutes and costs hold them.
   */
  invocations: number;
  minutes: number;
  time?: TimeTerms;
  /**
   * State machine transitions.
   */
  transitions: number;
  costUsd: number;
  /**
   * Of AWS Config, where it records functions continuously; in no sum. Absent off AWS.
   */
  configurationItems?: number;
  /**
   * What those would cost. Absent where their price is not known.
   */
  configurationItemsUsd?: number;
  /**
   * What one rule of AWS Config would cost that evaluates each of those items; in no sum. Absent where its price is not known.
   */
  ruleEvaluationsUsd?: number;
  pricesDate: string;
  pricesRegion: string;
}
/**
 * What the minutes are the sum of, in ms. Of each block those of the trial that ends last.
 */
export interface TimeTerms {
  /**
   * Before the first experiment and after the last.
   */
  runMs: number;
  /**
   * Before each experiment's first block and after its last.
   */
  experimentsMs: number;
  /**
   * Calling each function once with each event before the first block, and looking at that block.
   */
  triesMs: number;
  /**
   * Starting and ending each block.
   */
  blocksMs: number;
  /**
   * Until a trial's turn to be forced cold: the control plane takes 15 updates a second.
   */
  updateSlotsMs: number;
  /**
   * Until the updated function can be invoked.
   */
  forceColdMs: number;
  /**
   * Starting and ending each trial.
   */
  trialsMs: number;
  /**
   * The calls themselves.
   */
  callsMs: number;
  /**
   * Between the calls, so that Lambda and the services carry them.
   */
  spacingMs: number;
  /**
   * What a block takes longer because there are fewer lanes than cells.
   */
  sharedLanesMs: number;
}
export interface Event {
  /**
   * describe: nothing is done and nothing measured; the answer says what the process sees of its machine.
   */
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
  /**
   * Partition key; get and query: default seed; put and batch_write: default put-<bootId> and batch-<bootId>.
   */
  pk?: string;
  /**
   * Sort key; get only: default item-00.
   */
  sk?: string;
  /**
   * batch_write only; default 25.
   */
  itemCount?: number;
  /**
   * fibonacci, which demands it: the number's place.
   */
  n?: number;
  /**
   * hash and fanout: how many; default 20, and of fanout's objects all 100, which are the most.
   */
  count?: number;
  /**
   * sha256_chain only: how many hashes, one after another; default 1000000.
   */
  rounds?: number;
  /**
   * hash only; default auto: parallel where there is more than one worker and more than one item.
   */
  mode?: "sequential" | "parallel" | "auto";
  /**
   * fanout only: calls at the same time. Default: python-executor the default executor's threads, python-aioboto3 all at once behind its pool, rust-concurrent 10; a serial variant takes 1 alone.
   */
  concurrency?: number;
  /**
   * fanout only: connections that boto3's client keeps; default 10, which is its own. The SDK for Rust has no such limit.
   */
  poolSize?: number;
}
/**
 * A user's own functions, the events they are invoked with and the answers that are expected: the input of kelvin measure. Paths are relative to the file.
 */
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
   * Architectures on AWS; a run on this machine uses its own. If absent, the one that the artefacts are built for, otherwise arm64.
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
  /**
   * Timeout of a call in seconds. If absent, 30.
   */
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
  /**
   * The zip or folder that would be uploaded to Lambda; on AWS alone also a container image in ECR by its digest, REPOSITORY@sha256:DIGEST.
   */
  artefact: string;
  artefactByArchitecture?: ArtefactByArchitecture;
  /**
   * The name of a function before this one that is the same but for one factor: the artefact, the runtime, the handler, one environment variable, the layers, the permissions, or one of the settings on AWS. Both are compared by time and by cost.
   */
  differsFrom?: string;
  /**
   * Lambda's runtime identifier. If absent, it is detected from the artefact, which must be unambiguous; a container image has none.
   */
  runtime?: string;
  /**
   * The handler, in the format of Lambda's configuration. If absent, it is detected from the artefact, which must be unambiguous.
   */
  handler?: string;
  /**
   * Environment variables.
   */
  environment?: {
    [k: string]: string;
  };
  /**
   * Environment variables of the original function whose values were not copied; fill them in under environment.
   */
  secretNames?: string[];
  /**
   * The content of the function's layers, in their order, for this machine: zips or folders as they would be uploaded.
   *
   * @minItems 1
   * @maxItems 5
   */
  layerArtefacts?: string[];
  /**
   * ARNs of layer versions. They apply only on AWS: they are not downloaded for a run on this machine. A function may have five: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
   *
   * @maxItems 5
   */
  layers?: string[];
  permissions?: FunctionPermissions;
  aws?: CopySettings;
}
/**
 * The artefact of an architecture, in place of the other one.
 */
export interface ArtefactByArchitecture {
  arm64?: string;
  x86_64?: string;
}
/**
 * What the copy may do on AWS besides writing its logs. If absent, nothing.
 */
export interface FunctionPermissions {
  /**
   * An existing role. It is used unchanged: nothing is added to it.
   */
  roleArn?: string;
  /**
   * ARNs of managed policies, or names of AWS managed policies.
   */
  managedPolicies?: string[];
  statements?: PolicyStatement[];
}
export interface PolicyStatement {
  /**
   * @minItems 1
   */
  actions: string[];
  /**
   * @minItems 1
   */
  resources: string[];
}
/**
 * Settings that the copy has on AWS beside the others. They do not apply on this machine.
 */
export interface CopySettings {
  vpc?: VpcSettings;
  /**
   * @minItems 1
   */
  fileSystems?: FileSystem[];
  /**
   * Size of /tmp. If absent, 512.
   */
  ephemeralStorageMb?: number;
  /**
   * Whether X-Ray's active tracing is on. If absent, it is off.
   */
  xrayTracing?: boolean;
  image?: ImageSettings;
}
export interface VpcSettings {
  /**
   * @minItems 1
   */
  subnetIds: string[];
  /**
   * @minItems 1
   */
  securityGroupIds: string[];
  ipv6AllowedForDualStack?: boolean;
}
export interface FileSystem {
  /**
   * Of an access point of Amazon EFS or S3 Files.
   */
  arn: string;
  localMountPath: string;
  /**
   * Of S3 Files alone, as Lambda's configuration has it.
   */
  directS3Read?: string;
}
/**
 * What replaces the container image's own ENTRYPOINT, CMD and WORKDIR.
 */
export interface ImageSettings {
  entryPoint?: string[];
  command?: string[];
  workingDirectory?: string;
}
export interface NamedEvent {
  name: string;
  /**
   * Any JSON; it is passed on unchanged.
   */
  payload: unknown;
  expected?: ExpectedAnswer;
}
/**
 * Services that are emulated on this machine for the functions. They are not created on AWS, where the functions use their own.
 */
export interface EmulatedData {
  /**
   * DynamoDB tables, each in the format of aws dynamodb create-table --cli-input-json.
   */
  tables?: {}[];
  /**
   * Names of S3 buckets.
   */
  buckets?: string[];
}
/**
 * This interface was referenced by `Contract`'s JSON-Schema
 * via the `definition` "limit".
 */
export interface Limit {
  /**
   * Cold: Init and the first Duration. Second and warm: Duration, of each operation. Memory: the most that an environment used. Package: the artefact as it is deployed.
   */
  quantity: "cold" | "second" | "warm" | "memory" | "package";
  /**
   * Of the times. Absent: the quantity has none.
   */
  statistic?: "mean" | "median" | "p95" | "p99";
  /**
   * In ms, or in MB of 1,048,576 bytes.
   */
  below: number;
}
/**
 * What a run planned, kept and rejected, and on what it ran.
 */
export interface Manifest {
  schemaVersion: 1;
  runId: string;
  experiment: string;
  /**
   * Imported: others invoked it, and what Lambda said was read from their logs.
   */
  target: "aws" | "local" | "fake" | "imported";
  status: "running" | "complete" | "partial";
  startedAt: string;
  endedAt?: string;
  counts: SampleCounts;
  imported?: ImportedOrigin;
  /**
   * Why the run ended early or not as planned, as a sentence without its full stop. Absent where nothing ended it, and where that is not known.
   */
  endedEarly?: string;
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
  warnings: string[];
}
export interface SampleCounts {
  planned: number;
  recorded: number;
  kept: number;
  /**
   * Count by reason.
   */
  rejected: {
    [k: string]: number;
  };
  /**
   * Calls of the control plane, while environments were forced cold, that were answered with a throttling error. Absent where no sample counted them.
   */
  throttledCalls?: number;
}
/**
 * Of an imported run alone: what it was read from.
 */
export interface ImportedOrigin {
  /**
   * A sample is cold where Lambda reported an Init Duration, or with SnapStart a Restore Duration: no boot id verifies it.
   */
  temperature: "init-duration-alone";
  logStreams?: ImportedStreams;
  /**
   * When the invocations were reported, by cell. A cell whose source tells no time is absent, and so is the list where none does.
   *
   * @minItems 1
   */
  windows?: ImportedWindow[];
  /**
   * @minItems 1
   */
  sources: ImportedSource[];
  /**
   * Means that another tool worked out, of invocations that it did not hand on: figures without samples and without an interval.
   *
   * @minItems 1
   */
  averages?: ImportedAverage[];
}
/**
 * Log streams, each of which is an environment. Absent where no source names any: each invocation then counts as an environment of its own.
 */
export interface ImportedStreams {
  streams: number;
  /**
   * Of these streams.
   */
  samples: number;
  /**
   * Whose source names no stream: each counts as an environment of its own.
   */
  samplesWithout: number;
  /**
   * Of one stream.
   */
  fewestSamples: number;
  /**
   * Of one stream.
   */
  mostSamples: number;
}
export interface ImportedWindow {
  cellId: string;
  from: string;
  to: string;
}
export interface ImportedSource {
  /**
   * The file's name, stdin, or the log group's.
   */
  name: string;
  format: "report" | "events" | "insights" | "power-tuning" | "log-group";
  sha256?: string;
  /**
   * Log lines, events, rows or averages.
   */
  read: number;
  taken: number;
  /**
   * Reports among the taken that a local emulator printed, and not Lambda. Absent if there is none.
   */
  emulated?: number;
  /**
   * Count by reason.
   */
  notTaken: {
    [k: string]: number;
  };
}
export interface ImportedAverage {
  cellId: string;
  durationMs: number;
  /**
   * Of one invocation, by the tool's own arithmetic.
   */
  costUsd?: number;
}
/**
 * A trial that could not be made or finished; the other cells went on.
 */
export interface CellFailure {
  cellId: string;
  block: number;
  type: string;
  message: string;
}
export interface Artefact {
  variant: string;
  architecture: "arm64" | "x86_64";
  /**
   * Of the unpacked binary or of the source archive; on AWS Lambda's CodeSha256.
   */
  sha256?: string;
  /**
   * Unpacked.
   */
  sizeBytes?: number;
  /**
   * As deployed.
   */
  zipBytes?: number;
  /**
   * How it was built: profile, target, crypto provider, ...
   */
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
  /**
   * In what pieces the kernel dealt the CPU quota out to the CPUs while functions were measured. Absent: unthrottled, or not known.
   */
  bandwidthSliceMs?: number;
  /**
   * Whether the threads of each function whose share is at most one CPU stayed on one CPU after Init, so that none waited for quota that another CPU held. Absent: they did not.
   */
  staysOnOneCpu?: boolean;
  memoryLimit: "cgroup-v1" | "cgroup-v2" | "unlimited";
  /**
   * How DynamoDB was served, for example TLS 1.3 on loopback.
   */
  transport?: string;
  networkProfile?: string;
}
/**
 * What other work the machine had while it measured, block by block. Absent where it was not read: off Linux, on AWS, and in runs of before.
 */
export interface MachineNoise {
  /**
   * For a quiet machine, where that was asked for.
   */
  waitedSeconds?: number;
  intervals: NoiseInterval[];
}
export interface NoiseInterval {
  block: number;
  seconds: number;
  /**
   * CPUs that processes which are not the run's used, on average.
   */
  otherCpus: number;
  /**
   * CPUs that the hypervisor gave to others while this machine had work for them.
   */
  stolenCpus: number;
  /**
   * Share of the time in which some task waited for a CPU, the run's own throttled functions among them (pressure stall information). Absent where the kernel does not say it.
   */
  waitingShare?: number;
  /**
   * The load average of the last minute, at the end.
   */
  load?: number;
  speed?: SpeedProbe1;
}
/**
 * How fast the machine did what functions do: medians of CPU times. Only local runs have it.
 */
export interface SpeedProbe1 {
  /**
   * Times of different versions cannot be compared. Version 1 stored least times.
   */
  schemaVersion: 1 | 2;
  /**
   * The cryptography of both sides of a TLS 1.3 handshake.
   */
  handshakeMs: number;
  /**
   * Ten thousand rounds of PBKDF2 with SHA-256. Absent in runs of before.
   */
  hashMs?: number;
  /**
   * Loops and calls in Python. Absent where the run uses no Python of Kelvin's.
   */
  interpreterMs?: number;
  /**
   * Small objects in Python, made and looked up. Absent as above.
   */
  allocationMs?: number;
}
/**
 * The local host's own cost: a function that does nothing, at full CPU.
 */
export interface InstrumentFloor {
  n: number;
  environments: number;
  /**
   * Median of the warm calls.
   */
  durationMs: number;
  /**
   * 5th percentile of them.
   */
  durationLowMs: number;
  /**
   * 95th percentile of them.
   */
  durationHighMs: number;
  /**
   * Median Init.
   */
  initDurationMs: number;
}
export interface PricesUsed {
  date: string;
  region: string;
}
/**
 * Of a run with a stopping rule: what its last look at the samples found. Absent: it never looked, or has no rule.
 */
export interface StoppingLook {
  /**
   * Measured before the look.
   */
  blocks: number;
  /**
   * Spent before the look.
   */
  minutes: number;
  /**
   * That the report states. Of a run that chooses memory sizes: its choices, three for each function.
   */
  ratios: number;
  /**
   * How many of them are not as precise as they are to be, or not decided.
   */
  wide: number;
  /**
   * Half the width of the widest interval, as a share of the ratio. Absent: none has an interval.
   */
  widest?: number;
  /**
   * The blocks before the next look. Absent: there is none.
   */
  nextLook?: number;
  endedBy?: StoppingReason;
}
/**
 * An experiment expanded: its cells, the order of its trials, the seed of that order, the sizes. Of an imported run the cells that were found and how many invocations stand for environments: nothing was planned, and its one block has no trial.
 */
export interface Plan {
  schemaVersion: 1;
  runId: string;
  experiment: string;
  /**
   * Imported: others invoked it, and what Lambda said was read from their logs.
   */
  target: "aws" | "local" | "fake" | "imported";
  preset: "quick" | "standard" | "imported";
  seed: number;
  createdAt: string;
  /**
   * A stack holds fewer, and a report of as many is made within a minute of CPU time.
   *
   * @minItems 1
   * @maxItems 300
   */
  cells: Cell[];
  /**
   * What the cold and the second invocation do.
   */
  coldOperation: string;
  /**
   * @minItems 1
   */
  warmOperations: string[];
  /**
   * By operation: what it is called with and what it must return. An operation that is not here has no parameters, and nothing to be held against.
   */
  requests?: {
    [k: string]: OperationRequest;
  };
  /**
   * The functions are a user's own, and what they return keeps no contract of Kelvin's: environments are told apart by what the target knows of them. Absent: results name their process.
   */
  ownResults?: true;
  /**
   * The functions work on no table, so that their operations cost nothing at DynamoDB.
   */
  withoutTable?: true;
  /**
   * The functions work on objects of S3.
   */
  withBucket?: true;
  /**
   * Of a run on one machine: before each call but the first, an environment is idle for this long, and for up to 20 ms more, at random. Absent: a call follows the one before at once.
   */
  idleMs?: number;
  network?: NetworkProfile;
  /**
   * What the phases are expected to take, by language; absent: what the dynamodb experiment's take.
   */
  priors?: {
    [k: string]: SeenDurations;
  };
  sizes: PlanSizes;
  /**
   * @minItems 1
   */
  blocks: Block[];
  stopping?: StoppingRule;
  verdicts?: VerdictRule;
  /**
   * What each function is to stay below at each size, where it was asked for.
   *
   * @minItems 1
   * @maxItems 20
   */
  limits?: Limit[];
  instrumented?: InstrumentedPart;
  /**
   * Cells measured at the same time.
   */
  lanes: number;
  /**
   * From the start of a call to that of the next one in its environment at least; absent: a call follows the one before at once.
   */
  callSpacingMs?: number;
  /**
   * The same before a call of these operations, of which a service carries fewer; absent: callSpacingMs before each.
   */
  operationSpacingMs?: {
    [k: string]: number;
  };
  timeoutSeconds: number;
  estimate?: Estimate;
  /**
   * Variants that differ from another in one factor alone, as they were declared. Absent: none. The architectures of a plan are compared without being named here.
   *
   * @minItems 1
   * @maxItems 20
   */
  factors?: DeclaredFactor[];
  /**
   * What was asked for and is not among the cells, each with its reason.
   */
  leftOut?: string[];
  prices?: Prices;
  warnings: string[];
}
export interface OperationRequest {
  /**
   * What the event calls it; absent: as the plan does. Two operations of a plan may be one of the function's, with other parameters.
   */
  operation?: string;
  /**
   * The variants that make it, of a warm operation; absent: all.
   *
   * @minItems 1
   */
  variants?: string[];
  /**
   * Its first warm calls in an environment, before those that are kept; absent: as the sizes say.
   */
  discardedCalls?: number;
  /**
   * Fields of the event, besides the operation.
   */
  parameters?: {
    [k: string]: string | number;
  };
  /**
   * Fields of the result with the values that they must have: a sample with others is rejected.
   */
  expected?: {
    [k: string]: string | number;
  };
  /**
   * The whole event, as it is handed over: of a user's function. Absent: the operation and its parameters.
   */
  event?: unknown;
  answer?: ExpectedAnswer;
}
/**
 * Of a run on one machine: what each request takes besides the service's own time, as a network between them. Absent: loopback alone.
 */
export interface NetworkProfile {
  delayMs: number;
  /**
   * The most that a delay differs by, either way, all equally likely, drawn by the plan's seed.
   */
  jitterMs: number;
  /**
   * What opening a connection takes: the lookup of a name, where it is counted, and the round trips of TCP and TLS. Absent: connections are not delayed, as in runs of before.
   */
  connectMs?: number;
}
/**
 * Durations at the memory size at which they were seen, ms.
 */
export interface SeenDurations {
  memoryMb: number;
  initMs: number;
  firstMs: number;
  secondMs: number;
  /**
   * Mean of the warm operations.
   */
  warmMs: number;
}
/**
 * How many environments and calls.
 */
export interface PlanSizes {
  /**
   * New execution environments a cell: one cold and one second sample each.
   */
  environments: number;
  /**
   * How many of them go on to warm calls.
   */
  warmEnvironments: number;
  /**
   * Warm calls an operation and environment, the discarded ones included.
   */
  warmCalls: number;
  /**
   * The first of those, recorded and labelled warm-up.
   */
  discardedCalls: number;
}
/**
 * Blocks are measured until every ratio of the report is as precise as this, or the budget is spent: the sizes say the least of them, and the blocks are the most. The plan's estimate is of the most, as far as it is expected to fit into maxMinutes; leastEstimate is of the least. Absent: all blocks are measured.
 */
export interface StoppingRule {
  /**
   * Half the width of a ratio's 95% interval, as a share of the ratio. Of a run that chooses memory sizes: how far above the best size the chosen one may be.
   */
  untilPrecision: number;
  /**
   * All invocations.
   */
  maxSamples: number;
  maxMinutes: number;
  /**
   * Of all experiments of the run together, by the estimate. Absent: none was given.
   */
  maxCostUsd?: number;
  mostBlocksBy: BlockBound;
  leastEstimate?: Estimate;
  sizeChoice?: SizeChoiceBasis;
}
/**
 * Of a run that goes on until the cheapest, the fastest and the balanced memory size of each function are chosen, and measures sizes no further that are none of them: what their costs are worked out from. Absent: all cells are measured in every block.
 */
export interface SizeChoiceBasis {
  /**
   * Share of the invocations that are cold.
   */
  coldShare: number;
  gbSecondUsd: number;
  requestUsd: number;
  /**
   * Sizes are measured on while these may still be met or missed. Absent: none.
   *
   * @minItems 1
   * @maxItems 20
   */
  limits?: Limit[];
}
/**
 * What a difference must be to be called, where it was asked for. Absent: 5% both.
 */
export interface VerdictRule {
  /**
   * The relative difference that matters.
   */
  margin: number;
  /**
   * The share of runs in which one false difference among all of a run's is accepted.
   */
  errorRate: number;
}
/**
 * Trials under callgrind, made after the blocks, which they are not a part of: they count instructions, and no time of theirs counts.
 */
export interface InstrumentedPart {
  sizes: PlanSizes;
  /**
   * @minItems 1
   */
  blocks: Block[];
}
export interface DeclaredFactor {
  /**
   * What differs: runtime, layers or the like, or the name of an environment variable.
   */
  factor: string;
  variant: string;
  baseline: string;
}
/**
 * What AWS asks, as it was found out for this run. Absent: Kelvin's own table.
 */
export interface Prices {
  /**
   * When the table was put together, YYYY-MM-DD.
   */
  date: string;
  /**
   * @minItems 1
   */
  sources: {
    url: string;
    /**
     * Which of the prices it gives, and what is to be known of it.
     */
    gives: string;
  }[];
  regions: {
    [k: string]: RegionPrices;
  };
  configurationItemUsd?: UnitUsd;
  ruleEvaluationUsd?: UnitUsd;
}
/**
 * On-demand prices in USD before any free tier, first tier of each; a transition is one of a Standard state machine.
 */
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
  /**
   * A PUT, COPY, POST or LIST; a GET and any other.
   */
  s3?: {
    putRequestUsd: UnitUsd;
    getRequestUsd: UnitUsd;
  };
  /**
   * CloudWatch Logs, the Standard class, first tier.
   */
  logs?: {
    ingestedGbUsd: number;
  };
}
/**
 * What AWS asks, on a date, by region. A price that is not known is absent, never 0 and never another region's.
 */
export interface Prices1 {
  /**
   * When the table was put together, YYYY-MM-DD.
   */
  date: string;
  /**
   * @minItems 1
   */
  sources: {
    url: string;
    /**
     * Which of the prices it gives, and what is to be known of it.
     */
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
  /**
   * Of the compiler or interpreter, for example 1.95.0 or 3.13.0.
   */
  runtimeVersion: string;
  variant: string;
  /**
   * The whole operation, items built included.
   */
  durationMs: number;
  /**
   * The SDK calls alone, summed: more than durationMs where they run at the same time.
   */
  sdkCallMs?: number;
  /**
   * Items read or written; finding none is an error.
   */
  itemsCount?: number;
  /**
   * batch_write: unprocessed items that were sent again.
   */
  retriedItems?: number;
  /**
   * What was computed; the plan says what it must be.
   */
  value?: number;
  /**
   * Items worked on.
   */
  processed?: number;
  /**
   * How they were spread: auto is one of them by now.
   */
  mode?: "sequential" | "parallel";
  /**
   * Threads of the pool.
   */
  workers?: number;
  /**
   * Threads that worked on at least one item.
   */
  threadsUsed?: number;
  /**
   * CPUs that the process saw in Init.
   */
  detectedCpus?: number;
  avgMsPerItem?: number;
  /**
   * Resident set after the work, by /proc/self/statm.
   */
  memoryUsedKb?: number;
  /**
   * Calls that might run at the same time.
   */
  concurrency?: number;
  /**
   * Connections that the client keeps; absent where it has no such limit.
   */
  poolSize?: number;
  /**
   * Random, made once a process.
   */
  bootId: string;
  /**
   * True on the process's first invocation.
   */
  coldStart: boolean;
  /**
   * Counts this process's invocations from 0.
   */
  invocation: number;
  /**
   * From the end of Init to the process's first event; on its first invocation only.
   */
  initToFirstEventMs?: number;
  /**
   * Of the AWS SDK in the process, name and version, for example botocore 1.40.4; on its first invocation only, and absent where it has none.
   */
  sdkVersion?: string;
  /**
   * describe alone: by /proc/cpuinfo the model's name, or on arm64, which has none there, its implementer and part in its own numbers; absent where neither stands there.
   */
  cpuModel?: string;
  /**
   * The connections that the invocation made by hand, in their order; the first carries what a process does once.
   *
   * @minItems 2
   * @maxItems 2
   */
  connections?: Connection[];
  /**
   * The call that Init made to warm the client; in every result of the process.
   */
  warmupMs?: number;
  /**
   * Class of the failure of that call, its time limit included; absent where it succeeded.
   */
  warmupError?: string;
  build?: FunctionBuild;
}
export interface Connection {
  dnsMs: number;
  tcpMs: number;
  tlsMs: number;
}
/**
 * What the process is, by its own account; on its first invocation only.
 */
export interface FunctionBuild {
  profile: string;
  cryptoProvider: "aws-lc" | "ring";
  /**
   * Where the crypto provider's seed comes from: timing of the CPU besides the system's source, or the system's alone.
   */
  entropy: "cpu-jitter" | "system";
  trustStore: "native" | "bundled";
  /**
   * Of the binary that runs.
   */
  binaryBytes: number;
}
/**
 * One invocation, one JSON line. What is absent was not measured.
 */
export interface Sample {
  runId: string;
  experiment: string;
  /**
   * Imported: others invoked it, and what Lambda said was read from their logs.
   */
  target: "aws" | "local" | "fake" | "imported";
  cell: Cell;
  operation: string;
  phase: "cold" | "second" | "warm";
  /**
   * Each block holds one new environment of every cell: (cell, block) names an execution environment.
   */
  block: number;
  /**
   * Present when the trial was made again, after an interruption or because a used environment answered its cold call: (cell, block, attempt) then names the environment.
   */
  attempt?: number;
  /**
   * Position of the invocation in its environment; the cold one is 0. Of an imported one its position among what was read of its log stream; 0 where no stream is named, and it stands for an environment of its own.
   */
  sequence: number;
  requestId?: string;
  /**
   * The execution environment as the target knows it: on this machine one process, on AWS one log stream. Of a user's function, whose result names none.
   */
  environmentId?: string;
  /**
   * Why the log stream of a call of a user's function could not be read on AWS. Whether it was cold was judged by Init alone then.
   */
  environmentUnknown?: string;
  /**
   * ISO 8601, UTC, by the caller's clock. Absent of an imported sample.
   */
  startedAt?: string;
  /**
   * ISO 8601, UTC: when Lambda wrote its report. Of an imported sample alone, where the source says it.
   */
  reportedAt?: string;
  /**
   * Request sent to response read, by the caller.
   */
  clientLatencyMs?: number;
  telemetry?: Telemetry;
  /**
   * Event handed over to the first byte of the answer; of a streamed answer, on this machine.
   */
  firstByteMs?: number;
  forcedCold?: ForcedCold;
  /**
   * As the environment sees it, asked for in a call of its own once the trial was measured; of its last sample. Absent where it did not answer, and on this machine, whose CPU the manifest names.
   */
  cpuModel?: string;
  cpu?: CpuTime;
  instructions?: InstructionCounts;
  /**
   * What the function returned, as it returned it.
   */
  result?: unknown;
  /**
   * Data-quality remarks that do not exclude the sample.
   */
  flags?: (
    | "billed-mismatch"
    | "initialised-early"
    | "log-truncated"
    | "telemetry-from-logs"
    | "visible-cpus-below-quota"
  )[];
  /**
   * Why the sample counts in no statistic.
   */
  rejected?: {
    reason:
      | "warm-up"
      | "error"
      | "result-invalid"
      | "result-wrong"
      | "throttled"
      | "telemetry-missing"
      | "init-missing"
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
/**
 * What Lambda itself says of an invocation: the REPORT line or platform.report. Absent where Lambda did not say it. Bounds are far beyond what is possible (1e9 ms are eleven days, 1e7 MB ten terabytes): a number outside them was not measured.
 */
export interface Telemetry {
  durationMs: number;
  billedDurationMs?: number;
  memorySizeMb?: number;
  maxMemoryUsedMb?: number;
  initDurationMs?: number;
  restoreDurationMs?: number;
  billedRestoreDurationMs?: number;
  /**
   * Present when the invocation did not succeed: timeout, error, ...
   */
  status?: string;
  errorType?: string;
}
/**
 * What it took to force the environment cold; of the cold sample. Absent where the target has no control plane.
 */
export interface ForcedCold {
  /**
   * Calls of the control plane that were answered with a throttling error.
   */
  throttledCalls: number;
  /**
   * From those answers to the next tries.
   */
  waitedMs: number;
  /**
   * Of the runtime that the function had once it was updated. Absent where Lambda did not say it.
   */
  runtimeVersionArn?: string;
}
/**
 * CPU time of the environment's processes by the cgroup's accounting, user and system. On this machine only, where it has one.
 */
export interface CpuTime {
  /**
   * Process start to the end of Init; of the cold sample.
   */
  initCpuMs?: number;
  invocationCpuMs: number;
}
/**
 * Instructions that the process executed in user space, by callgrind; its times are valgrind's, so the sample is rejected as instrumented.
 */
export interface InstructionCounts {
  /**
   * Process start to the end of Init; of the cold sample.
   */
  init?: number;
  invocation: number;
}
