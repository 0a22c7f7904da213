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
/** Source of the root certificates that a client trusts: the system, or its own binary. */
export type TrustStore = "native" | "bundled";

export interface CargoBuild {
  readonly binaryName: string;
  /**
   * The package that contains the binary.
   * @default the binary's name
   */
  readonly packageName?: string;
  /**
   * The manifest of a package outside the workspace: absolute, or relative to lambdas/rust.
   * @default the workspace's
   */
  readonly manifestPath?: string;
  /**
   * Features of the package in addition to its default ones.
   * @default none
   */
  readonly features?: readonly string[];
  /** The cargo profile; cargo keeps one folder per profile. */
  readonly profile: string;
  /**
   * Environment variables of the build. They need their own profile: builds with different variables in one folder
   * would invalidate each other.
   */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The source of a variant's code: a build, or files. Build paths are relative to lambdas/. */
type Source = ({ readonly kind: "cargo" } & CargoBuild) | PythonSource | ArtefactSource;

/** A user's function, as uploaded to Lambda. */
export interface ArtefactSource {
  readonly kind: "artefact";
  /** Absolute path of its unpacked files, which are at /var/task on Lambda. */
  readonly folder: string;
  /**
   * Absolute path of the zip that is uploaded to AWS.
   * @default the folder's files are zipped
   */
  readonly zip?: string;
  /** The handler, as in Lambda's configuration. */
  readonly handler: string;
  /** Environment variables from its configuration. */
  readonly environment: Readonly<Record<string, string>>;
  /** SHA-256, in hex, of the given zip, or of a folder's files with their names. */
  readonly sha256: string;
  /** Size of the unpacked files. */
  readonly sizeBytes: number;
  /** Size of the zip; absent for a folder. */
  readonly zipBytes?: number;
  /**
   * The interpreter that runs it on this machine.
   * @default it is an executable: its bootstrap
   */
  readonly interpreter?: {
    readonly command: string;
    readonly version: string;
    /** Folder of its runtime's packages, which are at /var/runtime on Lambda. @default none */
    readonly packages?: string;
  };
  /**
   * The merged content of its layers on this machine, which is at /opt on Lambda.
   * @default none
   */
  readonly layers?: { readonly folder: string /** In hex. */; readonly sha256: string };
  /**
   * Its code on AWS by architecture, if that differs from the code above.
   * @default the same on each
   */
  readonly byArchitecture?: Readonly<Partial<Record<Architecture, DeployedCode>>>;
  /**
   * ARNs of its layer versions on AWS.
   * @default none
   */
  readonly layerVersions?: readonly string[];
  /**
   * Its permissions on AWS, except for writing its logs.
   * @default nothing
   */
  readonly permissions?: FunctionPermissions;
  /**
   * Other settings of its copy on AWS.
   * @default Lambda's own
   */
  readonly copySettings?: CopySettings;
  /**
   * The container image that is deployed instead of files; only on AWS.
   * @default none
   */
  readonly image?: ContainerImage;
}

/** The code deployed for a function on AWS. */
export type DeployedCode = Pick<ArtefactSource, "folder" | "zip" | "image">;

/** An image in ECR, by its digest. */
export interface ContainerImage {
  readonly repositoryArn: string;
  readonly repositoryName: string;
  /** Digest, prefixed with `sha256:`. */
  readonly digest: string;
}

export interface PythonSource {
  readonly kind: "python";
  /** package.module.function; the package is a folder of lambdas/python, and no other is deployed. */
  readonly handler: string;
  /**
   * Lock file of the packages deployed with it, below lambdas/python.
   * @default the runtime's own packages are enough
   */
  readonly requirements?: string;
}

/** A measured implementation: a language, a library, a build. */
export interface Variant {
  readonly id: string;
  readonly label: string;
  readonly language: "rust" | "python" | "javascript" | "any";
  /** Lambda's runtime identifier. */
  readonly runtime: string;
  readonly source: Source;
  /**
   * The trust store that its client reads on Lambda; local runs use the same.
   * @default "native"
   */
  readonly trustStore?: TrustStore;
  /**
   * IAM actions of its functions that do not support resource ARNs: allowed on `*`.
   * @default none
   */
  readonly unscopedCalls?: readonly string[];
}

/** A preset's numbers of environments and calls. */
interface PresetSizes {
  readonly environments: number;
  readonly warmEnvironments: number;
  /** Warm calls of one series over all its environments, including the discarded ones. */
  readonly warmCalls: number;
}

/** One experiment: the definition from which the functions, the plan, both targets and the report are made. */
export interface Experiment {
  readonly id: string;
  readonly title: string;
  readonly question: string;
  readonly variants: readonly Variant[];
  /** The variant that the others are compared with. */
  readonly baselineVariant: string;
  /** The variant whose smallest cell is deployed twice (the A/A pair). */
  readonly replicaVariant: string;
  readonly memoryMb: readonly number[];
  readonly quickMemoryMb: readonly number[];
  /**
   * Threads of a function's pool by memory size; if present, no other sizes are allowed.
   * @default functions have no pool
   */
  readonly workersByMemoryMb?: Readonly<Record<number, number>>;
  readonly coldOperation: string;
  readonly warmOperations: readonly string[];
  /**
   * Parameters and required result fields by operation.
   * @default neither
   */
  readonly requests?: Readonly<Record<string, OperationRequest>>;
  /**
   * True for a user's own functions, whose results follow no contract of Kelvin's.
   * @default false
   */
  readonly ownResults?: true;
  /**
   * Expected durations by language, for the estimate before a run.
   * @default those of the dynamodb experiment
   */
  readonly priors?: Readonly<Partial<Record<Variant["language"], SeenDurations>>>;
  /**
   * Variants that differ from another variant in one factor only.
   * @default none is declared
   */
  readonly factors?: readonly DeclaredFactor[];
  readonly timeoutSeconds: number;
  readonly presets: Readonly<Record<Preset, PresetSizes>>;
  /** Number of first warm calls of an operation in an environment that are recorded and labelled warm-up. */
  readonly discardedCalls: number;
  /**
   * The DynamoDB table that its functions use.
   * @default none: its functions call no service
   */
  readonly table?: ExperimentTable;
  /**
   * The S3 bucket that its functions use.
   * @default none
   */
  readonly bucket?: ExperimentBucket;
  /**
   * Data in the emulated services that a user's own functions find in local runs.
   * @default none
   */
  readonly ownServices?: EmulatedData;
  /**
   * The network delay of a request in local runs, in addition to the service's own time.
   * @default no delay: loopback
   */
  readonly localNetwork?: NetworkProfile;
}

/** An experiment without its functions' code: everything that a plan needs except the cells. */
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
  /** IAM actions of the functions, allowed on this table only. */
  readonly calls: readonly string[];
  /**
   * Writes of the functions to the table.
   * @default - none
   */
  readonly writes?: TableWrites;
  /** Items in the table before a run. */
  readonly seed: TableSeed;
}

interface TableWrites {
  /** IAM actions, allowed on the partitions of this table named here. */
  readonly calls: readonly string[];
  /** Prefixes of the partition keys. The seeded partition's key has none: no function changes what others read. */
  readonly keyPrefixes: readonly string[];
}

export interface TableSeed {
  readonly pk: string;
  readonly itemCount: number;
  readonly dataLength: number;
}

/** The part of a bucket that functions can access: the objects below one prefix. */
export interface ExperimentBucket {
  /** Key prefix, ending with a slash. */
  readonly prefix: string;
  /** IAM actions of the functions on each object; they may also list the prefix. */
  readonly objectCalls: readonly string[];
  /** Objects below the prefix before a run. */
  readonly seed: BucketSeed;
}

interface BucketSeed {
  readonly objectCount: number;
  readonly objectBytes: number;
}

/** Returns the sort key of the seeded item at `index`. */
export function seededSortKey(index: number): string {
  return `item-${String(index).padStart(2, "0")}`;
}
