import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import type { Block, Cell, Plan } from "../../lib/contract/types/contract.ts";
import type { Preset } from "../../lib/plan/experiment.ts";
import contract from "./workload.json" with { type: "json" };

/** The 13 steps, in the required order. The driver reads the same file. */
export const workload: readonly string[] = contract.steps;

/** Fifty small tests, one after another and four at a time. */
export const pipelines: readonly string[] = contract.pipelines;

/** An operation's printed name, and its name in the source of the published figures. */
interface OperationName {
  readonly label: string;
  readonly published?: string;
}

/** Names of the 13 steps, of the tests of a pipeline, and of operations before and after them. */
export const operationNames: Readonly<Record<string, OperationName>> = {
  "start-up": { label: "Start-up" },
  list_tables: { label: "ListTables" },
  create_table: { label: "1 CreateTable", published: "CreateTable" },
  batch_write: { label: "2 BatchWriteItem (25 items)", published: "BatchWriteItem (25 items)" },
  get: { label: "3 GetItem", published: "GetItem" },
  put: { label: "4 PutItem (mixed sizes)", published: "PutItem" },
  query: { label: "5 Query with a filter", published: "Query (base)" },
  query_index: { label: "6 Query on the index", published: "Query (GSI)" },
  query_paginated: { label: "7 Query, 5 pages", published: "Query (paginated)" },
  scan: { label: "8 Scan, whole table", published: "Scan (full table)" },
  update: { label: "9 UpdateItem, conditional", published: "UpdateItem" },
  transact_write: { label: "10 TransactWriteItems (4)", published: "TransactWriteItems" },
  batch_get: { label: "11 BatchGetItem (100 keys)", published: "BatchGetItem (100 keys)" },
  delete: { label: "12 DeleteItem", published: "DeleteItem" },
  delete_table: { label: "13 DeleteTable" },
  pipeline: { label: "50 tests, one by one" },
  pipeline_4: { label: "50 tests, four at a time" },
  warm_up: { label: "Warm-up" },
  fidelity: { label: "Fidelity" },
};

/** Names of the embedded calls. */
export const callNames: Readonly<Record<string, OperationName>> = {
  get: { label: "GetItem", published: "GetItem" },
  put_small: { label: "PutItem, 200 B", published: "PutItem small" },
  put_medium: { label: "PutItem, 1 KB", published: "PutItem medium" },
  put_large: { label: "PutItem, 51 KB", published: "PutItem large" },
  query: { label: "Query, 50 items", published: "Query (base, ~50 hits)" },
  query_index: { label: "Query on the index, 1 item", published: "Query (GSI)" },
  scan: { label: "Scan of 1,000 items with a filter", published: "Scan (filter, 1K items)" },
  update: { label: "UpdateItem, conditional", published: "UpdateItem" },
  delete: { label: "DeleteItem", published: "DeleteItem" },
  batch_write: { label: "BatchWriteItem (25 items)", published: "BatchWrite (25)" },
  batch_get: { label: "BatchGetItem (100 keys)", published: "BatchGet (100)" },
  transact_write: { label: "TransactWriteItems (4)", published: "TransactWrite (4)" },
};

/** `emulators` compares DynamoDB emulators for tests and CI. */
export const emulators: EngineStudy = {
  id: "emulators",
  title: "Emulators: DynamoDB stand-ins for tests and CI",
  question: "Which stand-in for DynamoDB starts and answers soonest in tests and CI?",
  engines: [
    engine("dynoxide-embedded", "dynoxide, embedded"),
    engine("dynoxide-http", "dynoxide, HTTP"),
    engine("dynamodb-local", "DynamoDB Local, cold JVM"),
    {
      id: "dynamodb-local-warm",
      label: "DynamoDB Local, warm JVM",
      // The source measured its warm figure after 500 PutItem and 100 GetItem.
      operations: ["warm_up", ...workload],
      onceOperations: [],
      notQuick: [
        {
          operation: "scan",
          reason:
            "a scan takes seconds, in which the cold JVM warms up too (see its row); the standard preset includes it",
        },
      ],
    },
    engine("dynalite", "dynalite"),
    // One round of moto takes as long as all rounds of another engine.
    {
      ...engine("moto", "moto server"),
      quickRounds: 1,
      notQuick: [
        {
          operation: "transact_write",
          reason:
            "it copies the whole table for each transaction, so 50 take minutes and 5 GB; the standard preset includes them",
        },
        {
          operation: "query_paginated",
          reason:
            "it reads the whole table for each page, so 50 queries take half a minute; the standard preset includes them",
        },
        {
          operation: "batch_get",
          reason:
            "100 of them take as long as a round of another engine; the standard preset includes them",
        },
      ],
    },
    engine("localstack", "LocalStack"),
    inFiles("dynoxide-http-file", "dynoxide, HTTP"),
    inFiles("dynamodb-local-file", "DynamoDB Local"),
    inFiles("dynalite-file", "dynalite"),
  ],
  baselineEngine: "dynamodb-local",
  startOperation: "list_tables",
  timeoutSeconds: 300,
  rounds: { quick: 6, standard: 12 },
};

function engine(id: string, label: string): Engine {
  return { id, label, operations: [...workload, ...pipelines], onceOperations: ["fidelity"] };
}

/** Returns the engine with its tables on disk: run once, because what it writes does not depend on the round. */
function inFiles(id: string, label: string): Engine {
  const operations = ["create_table", "batch_write"];
  return { id, label: `${label}, in files`, operations, onceOperations: [], rounds: 1 };
}

/**
 * A comparison of engines that emulate a service. It runs only locally: nothing is deployed, so it is not an
 * Experiment, but its plan and samples are like those of any other.
 */
interface EngineStudy {
  readonly id: string;
  readonly title: string;
  readonly question: string;
  readonly engines: readonly Engine[];
  /** Id of the engine, in the state that the id names, that the others are compared with. */
  readonly baselineEngine: string;
  /** First operation of a new engine, which is then repeated immediately. */
  readonly startOperation: string;
  readonly timeoutSeconds: number;
  /** Number of new processes of each engine. */
  readonly rounds: Readonly<Record<Preset, number>>;
}

export interface Engine {
  readonly id: string;
  readonly label: string;
  /** Operations of its process after the start, in order: each depends on the previous ones. */
  readonly operations: readonly string[];
  /**
   * Number of rounds in which it is started.
   * @default all of them
   */
  readonly rounds?: number;
  /** Operations of the first round only: their answers are the same in every process. */
  readonly onceOperations: readonly string[];
  /**
   * Number of rounds of the quick preset in which it does more than start.
   * @default all of them
   */
  readonly quickRounds?: number;
  /**
   * Operations that the quick preset leaves out, and why.
   * @default none
   */
  readonly notQuick?: readonly { readonly operation: string; readonly reason: string }[];
}

export interface StudyChoice {
  readonly runId: string;
  readonly createdAt: string;
  readonly seed: number;
  readonly preset: Preset;
  readonly rounds: number;
  readonly engines: readonly Engine[];
  /** Architecture of this machine. */
  readonly architecture: Cell["architecture"];
  readonly memoryMb: number;
  /** Engines that are not available here, each with its reason. */
  readonly leftOut: readonly string[];
}

/**
 * Returns the study as a plan: a cell per engine, a block per round, and in each round a new process of every engine,
 * one after another in a seeded order. Pure.
 */
export function studyPlan(study: EngineStudy, choice: StudyChoice): Plan {
  const { engines, rounds } = choice;
  const leftOut = [...choice.leftOut, ...engines.flatMap((engine) => notAsked(engine, choice))];
  const operations = new Set(
    engines.flatMap((engine) => [...engine.operations, ...engine.onceOperations]),
  );
  return {
    schemaVersion: 2,
    runId: choice.runId,
    experiment: study.id,
    target: "local",
    preset: choice.preset,
    seed: choice.seed,
    createdAt: choice.createdAt,
    cells: engines.map((engine) => makeEngineCell(engine, choice)),
    coldOperation: study.startOperation,
    warmOperations: [...operations],
    // A wrong answer is rejected: it must not count as fast.
    requests: Object.fromEntries(
      [study.startOperation, ...operations].map((name) => [
        name,
        { expected: { wrongAnswers: 0 } },
      ]),
    ),
    sizes: { environments: rounds, warmEnvironments: rounds, warmCalls: 1, discardedCalls: 0 },
    blocks: makeRounds(choice),
    lanes: 1,
    timeoutSeconds: study.timeoutSeconds,
    ...(leftOut.length > 0 && { leftOut }),
    warnings: rounds < 6 ? [`rounds: ${rounds}; a 95% CI of a median needs 6`] : [],
  };
}

/** Makes an engine's cell. Its memory size is the machine's, because an engine may use all of it. */
function makeEngineCell({ id }: Engine, { architecture, memoryMb }: StudyChoice): Cell {
  return { id, variant: id, runtime: "engine", architecture, memoryMb };
}

function engineOperations(
  { operations, notQuick = [] }: Engine,
  preset: Preset,
): readonly string[] {
  if (preset !== "quick") return operations;
  const leftOut = new Set(notQuick.map(({ operation }) => operation));
  return operations.filter((operation) => !leftOut.has(operation));
}

function notAsked({ label, notQuick = [] }: Engine, { preset }: StudyChoice): readonly string[] {
  if (preset !== "quick") return [];
  return notQuick.map(({ operation, reason }) => `${label}, ${operation}: ${reason}`);
}

function makeRounds({ engines, rounds, preset, seed }: StudyChoice): Block[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: rounds }, (_, index) => ({
    index,
    trials: random
      .shuffled(engines)
      .filter((engine) => index < (engine.rounds ?? rounds))
      .map((engine) => {
        const engineRounds = preset === "quick" ? (engine.quickRounds ?? rounds) : rounds;
        const operations = index < engineRounds ? engineOperations(engine, preset) : [];
        const once = index === 0 ? engine.onceOperations : [];
        return { cellId: engine.id, warmOrder: [...operations, ...once] };
      }),
  }));
}
