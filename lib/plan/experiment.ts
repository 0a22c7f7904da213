import type {
  Cell,
  CopySettings,
  DeclaredFactor,
  EmulatedData,
  FunctionPermissions,
  NetworkProfile,
  OperationRequest,
  SeenDurations,
} from "../contract/types/contract.ts";

export type Architecture = Cell["architecture"];
export type Preset = "quick" | "standard";
/** The root certificates that a client trusts: the system's, or those in its binary. */
export type TrustStore = "native" | "bundled";

export interface CargoBuild {
  readonly binaryName: string;
  /**
   * The package that has it.
   * @default the binary's name
   */
  readonly packageName?: string;
  /**
   * The manifest of a package outside the workspace: absolute, or relative to lambdas/rust.
   * @default the workspace's
   */
  readonly manifestPath?: string;
  /**
   * Features of the package besides its default ones.
   * @default none
   */
  readonly features?: readonly string[];
  /** The cargo profile; cargo keeps one folder per profile. */
  readonly profile: string;
  /**
   * Environment variables of the build alone. They need a profile of their own: builds with different
   * variables in one folder would undo each other.
   */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The source of a variant's code: a build, or files. Paths of builds are below lambdas/. */
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
  /** The handler in Lambda's configuration. */
  readonly handler: string;
  /** Environment variables of its own. */
  readonly environment: Readonly<Record<string, string>>;
  /** SHA-256 of the given zip, or of a folder's files with their names; in hex. */
  readonly sha256: string;
  /** Size of the unpacked files. */
  readonly sizeBytes: number;
  /** Size of the zip; absent for a folder. */
  readonly zipBytes?: number;
  /**
   * The interpreter that runs it on this machine.
   * @default it is a program itself: its bootstrap
   */
  readonly interpreter?: {
    readonly command: string;
    readonly version: string;
    /** The folder of its runtime's packages, /var/runtime on Lambda. @default none */
    readonly packages?: string;
  };
  /**
   * The merged content of its layers on this machine: what Lambda would have at /opt.
   * @default none
   */
  readonly layers?: { readonly folder: string /** In hex. */; readonly sha256: string };
  /**
   * Its code on an architecture on AWS, where that is not the one above.
   * @default the same on each
   */
  readonly byArchitecture?: Readonly<Partial<Record<Architecture, DeployedCode>>>;
  /**
   * ARNs of the layer versions that it has on AWS.
   * @default none
   */
  readonly layerVersions?: readonly string[];
  /**
   * The permissions that it has on AWS besides writing its logs.
   * @default nothing
   */
  readonly permissions?: FunctionPermissions;
  /**
   * Further settings of its copy on AWS.
   * @default Lambda's own
   */
  readonly copySettings?: CopySettings;
  /**
   * The container image that is deployed in place of files, on AWS alone.
   * @default none
   */
  readonly image?: ContainerImage;
}

/** What is deployed of a function on AWS. */
export type DeployedCode = Pick<ArtefactSource, "folder" | "zip" | "image">;

/** An image in ECR, by its digest. */
export interface ContainerImage {
  readonly repositoryArn: string;
  readonly repositoryName: string;
  /** Digest that starts with `sha256:`. */
  readonly digest: string;
}

export interface PythonSource {
  readonly kind: "python";
  /** package.module.function; the package is a folder of lambdas/python and the only one deployed. */
  readonly handler: string;
  /**
   * Lock file of the packages deployed with it, below lambdas/python.
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
   * The trust store that its client reads on Lambda, so that it reads as much on one machine.
   * @default "native"
   */
  readonly trustStore?: TrustStore;
  /**
   * IAM actions of its functions that take no resource: allowed on everything.
   * @default none
   */
  readonly unscopedCalls?: readonly string[];
}

/** Numbers of environments and calls of a preset. */
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
   * Threads of a function's pool by memory size; if present, there are no other sizes.
   * @default functions have no pool
   */
  readonly workersByMemoryMb?: Readonly<Record<number, number>>;
  readonly coldOperation: string;
  readonly warmOperations: readonly string[];
  /**
   * Requests by operation: its parameters, and the fields that its result must have.
   * @default neither
   */
  readonly requests?: Readonly<Record<string, OperationRequest>>;
  /**
   * True if the functions are a user's own, whose results keep no contract of Kelvin's.
   * @default false
   */
  readonly ownResults?: true;
  /**
   * Expected durations of its phases, for the estimate before anything is spent.
   * @default what those of the dynamodb experiment take
   */
  readonly priors?: Readonly<Partial<Record<Variant["language"], SeenDurations>>>;
  /**
   * Variants that differ from another in one factor alone.
   * @default none is declared
   */
  readonly factors?: readonly DeclaredFactor[];
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
   * The S3 bucket it works on.
   * @default none
   */
  readonly bucket?: ExperimentBucket;
  /**
   * Data in the emulated services that a user's own functions find on one machine.
   * @default none
   */
  readonly ownServices?: EmulatedData;
  /**
   * The network that delays a request on one machine, besides the service's own time.
   * @default nothing: loopback
   */
  readonly localNetwork?: NetworkProfile;
}

/** The protocol of an experiment without its functions' code: all that a plan is made of, besides its cells. */
export type ExperimentProtocol = Pick<
  Experiment,
  | "id"
  | "baselineVariant"
  | "coldOperation"
  | "warmOperations"
  | "requests"
  | "ownResults"
  | "priors"
  | "factors"
  | "timeoutSeconds"
  | "presets"
  | "discardedCalls"
  | "table"
  | "bucket"
>;

export interface ExperimentTable {
  /** IAM actions of the functions: allowed on this table, and nothing else. */
  readonly calls: readonly string[];
  /**
   * Writes of the functions to the table.
   * @default - nothing
   */
  readonly writes?: TableWrites;
  /** Items that the table holds before a run. */
  readonly seed: TableSeed;
}

interface TableWrites {
  /** IAM actions: allowed on this table, and on the partitions named here. */
  readonly calls: readonly string[];
  /** Prefixes of the partition keys. The seeded partition's key has none: no function alters what others read. */
  readonly keyPrefixes: readonly string[];
}

export interface TableSeed {
  readonly pk: string;
  readonly itemCount: number;
  readonly dataLength: number;
}

/** The part of a bucket that functions see: the objects below one prefix. */
export interface ExperimentBucket {
  /** Key prefix that ends with a slash. */
  readonly prefix: string;
  /** IAM actions of the functions on each object; they may list the prefix besides. */
  readonly objectCalls: readonly string[];
  /** Objects that the prefix holds before a run. */
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
