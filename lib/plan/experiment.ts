import type {
  Cell,
  CopySettings,
  EmulatedData,
  FunctionPermissions,
  NetworkProfile,
  OperationRequest,
  SeenDurations,
} from "../contract/types/contract.ts";

export type Architecture = Cell["architecture"];
export type Preset = "quick" | "standard";
/** Which roots a client trusts: the system's, or some in its binary. */
export type TrustStore = "native" | "bundled";

/** How cargo builds a binary. */
export interface CargoBuild {
  readonly binaryName: string;
  /**
   * The package that has it.
   * @default the binary's name
   */
  readonly packageName?: string;
  /**
   * Features of the package besides its default ones.
   * @default none
   */
  readonly features?: readonly string[];
  /** Cargo keeps a folder a profile. */
  readonly profile: string;
  /**
   * Variables of the build alone. They ask for a profile of their own: in a folder that builds with
   * other variables share, each would undo the other.
   */
  readonly environment?: Readonly<Record<string, string>>;
}

/** How a variant's code is built, or where it lies. Paths of what is built are below lambdas/. */
type Source = ({ readonly kind: "cargo" } & CargoBuild) | PythonSource | ArtefactSource;

/** A user's function, as it would be uploaded. */
export interface ArtefactSource {
  readonly kind: "artefact";
  /** Absolute path of its files, unpacked: what Lambda would have at /var/task. */
  readonly folder: string;
  /**
   * Absolute path of the zip that is uploaded to AWS.
   * @default the folder's files are zipped
   */
  readonly zip?: string;
  /** As Lambda's configuration has it. */
  readonly handler: string;
  /** Environment variables of its own. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of the zip as it was given, or of a folder's files with their names; in hex. */
  readonly sha256: string;
  /** Unpacked. */
  readonly sizeBytes: number;
  /** Absent for a folder. */
  readonly zipBytes?: number;
  /**
   * What runs it on this machine.
   * @default it is a program itself: its bootstrap
   */
  readonly interpreter?: {
    readonly command: string;
    readonly version: string;
    /** The folder of the packages that its runtime has, on Lambda /var/runtime. @default none */
    readonly packages?: string;
  };
  /**
   * The content of its layers on this machine, one over the other: what Lambda would have at /opt.
   * @default none
   */
  readonly layers?: { readonly folder: string /** In hex. */; readonly sha256: string };
  /**
   * ARNs of the layer versions that it has on AWS.
   * @default none
   */
  readonly layerVersions?: readonly string[];
  /**
   * What it may do on AWS besides writing its logs.
   * @default nothing
   */
  readonly permissions?: FunctionPermissions;
  /**
   * Settings that its copy has on AWS beside the others.
   * @default Lambda's own
   */
  readonly copySettings?: CopySettings;
  /**
   * The container image that is deployed in place of files, on AWS alone.
   * @default none
   */
  readonly image?: ContainerImage;
}

/** An image in ECR, by its digest. */
export interface ContainerImage {
  readonly repositoryArn: string;
  readonly repositoryName: string;
  /** Starts with `sha256:`. */
  readonly digest: string;
}

export interface PythonSource {
  readonly kind: "python";
  /** package.module.function; the package is a folder of lambdas/python, and all that is deployed. */
  readonly handler: string;
  /**
   * Lock file of what is deployed with it, below lambdas/python.
   * @default the runtime's own packages are enough
   */
  readonly requirements?: string;
}

/** Code to be measured: a language, a library, a build. */
export interface Variant {
  readonly id: string;
  readonly label: string;
  readonly language: "rust" | "python" | "javascript" | "any";
  /** Lambda's runtime identifier. */
  readonly runtime: string;
  readonly source: Source;
  /**
   * What its client reads on Lambda, so that it reads as much on one machine.
   * @default "native"
   */
  readonly trustStore?: TrustStore;
  /**
   * What its functions call that takes no resource, as IAM names it: allowed on everything.
   * @default none
   */
  readonly unscopedCalls?: readonly string[];
}

/** How many environments and calls a preset takes. */
interface PresetSizes {
  readonly environments: number;
  readonly warmEnvironments: number;
  /** Warm calls of one series, over all its environments, the discarded ones included. */
  readonly warmCalls: number;
}

/** One experiment: the single definition behind the functions, the plan, both targets and the report. */
export interface Experiment {
  readonly id: string;
  readonly title: string;
  readonly question: string;
  readonly variants: readonly Variant[];
  /** The variant against which ratios are stated. */
  readonly baselineVariant: string;
  /** The variant whose smallest cell is deployed twice (the A/A pair). */
  readonly replicaVariant: string;
  readonly memoryMb: readonly number[];
  readonly quickMemoryMb: readonly number[];
  /**
   * Threads of a function's pool, by its memory size: there are no other sizes then.
   * @default functions have no pool
   */
  readonly workersByMemoryMb?: Readonly<Record<number, number>>;
  readonly coldOperation: string;
  readonly warmOperations: readonly string[];
  /**
   * By operation: its parameters, and what its result must hold.
   * @default neither
   */
  readonly requests?: Readonly<Record<string, OperationRequest>>;
  /**
   * True where the functions are a user's own, whose results keep no contract of Kelvin's.
   * @default false
   */
  readonly ownResults?: true;
  /**
   * What its phases are expected to take, for the estimate before anything is spent.
   * @default what those of the dynamodb experiment take
   */
  readonly priors?: Readonly<Partial<Record<Variant["language"], SeenDurations>>>;
  readonly timeoutSeconds: number;
  readonly presets: Readonly<Record<Preset, PresetSizes>>;
  /** The first warm calls of an operation in an environment, recorded and labelled warm-up. */
  readonly discardedCalls: number;
  /**
   * The DynamoDB table it works on.
   * @default none: its functions call no service
   */
  readonly table?: ExperimentTable;
  /**
   * The bucket of S3 that it works on.
   * @default none
   */
  readonly bucket?: ExperimentBucket;
  /**
   * What functions of a user's own find on one machine: emulated services with this in them.
   * @default none
   */
  readonly ownServices?: EmulatedData;
  /**
   * What a request takes on one machine besides the service's own time, as a network between them.
   * @default nothing: loopback
   */
  readonly localNetwork?: NetworkProfile;
}

/** How an experiment's functions are called, without their code: all that a plan is made of, beside its cells. */
export type ExperimentProtocol = Pick<
  Experiment,
  | "id"
  | "baselineVariant"
  | "coldOperation"
  | "warmOperations"
  | "requests"
  | "ownResults"
  | "priors"
  | "timeoutSeconds"
  | "presets"
  | "discardedCalls"
  | "table"
  | "bucket"
>;

export interface ExperimentTable {
  /** What the functions call on it, as IAM names it: allowed on this table, and nothing else. */
  readonly calls: readonly string[];
  /**
   * What they write there.
   * @default - nothing
   */
  readonly writes?: TableWrites;
  /** What is written there before a run. */
  readonly seed: TableSeed;
}

interface TableWrites {
  /** As IAM names them: allowed on this table, and on the partitions named here. */
  readonly calls: readonly string[];
  /** What the partition keys begin with. The seeded partition's does not: no function alters what others read. */
  readonly keyPrefixes: readonly string[];
}

export interface TableSeed {
  readonly pk: string;
  readonly itemCount: number;
  readonly dataLength: number;
}

/** What functions see of a bucket: the objects below one prefix. */
export interface ExperimentBucket {
  /** Ends with a slash. */
  readonly prefix: string;
  /** What the functions call on each object, as IAM names it; they may list the prefix besides. */
  readonly objectCalls: readonly string[];
  /** What is written there before a run. */
  readonly seed: BucketSeed;
}

interface BucketSeed {
  readonly objectCount: number;
  readonly objectBytes: number;
}

/** Sort key of the seeded item at `index`. */
export function seededSortKey(index: number): string {
  return `item-${String(index).padStart(2, "0")}`;
}
