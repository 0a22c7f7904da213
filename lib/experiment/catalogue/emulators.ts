import { pipelines, workload } from "../../contract/engine-workload.ts";
import type { Engine, EngineStudy } from "../engine-study.ts";

/** Which DynamoDB stand-in for tests and CI. */
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
      // The source's warm figure comes after 500 PutItem and 100 GetItem.
      operations: ["warm_up", ...workload],
      onceOperations: [],
      notQuick: [
        {
          operation: "scan",
          reason:
            "it takes seconds, in which the cold JVM warms too: see there; the standard preset asks for it",
        },
      ],
    },
    engine("dynalite", "dynalite"),
    // A round of it takes as long as all rounds of another.
    {
      ...engine("moto", "moto server"),
      quickRounds: 1,
      notQuick: [
        {
          operation: "transact_write",
          reason:
            "it copies the whole table for each transaction, so that 50 take minutes and 5 GB; the standard preset asks for them",
        },
        {
          operation: "query_paginated",
          reason:
            "it reads the whole table for each page, so that 50 queries take half a minute; the standard preset asks for them",
        },
        {
          operation: "batch_get",
          reason:
            "100 of them take as long as a round of another engine; the standard preset asks for them",
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

/** The same engine with its tables on disk: filled once, because what it writes does not depend on the round. */
function inFiles(id: string, label: string): Engine {
  const operations = ["create_table", "batch_write"];
  return { id, label: `${label}, in files`, operations, onceOperations: [], rounds: 1 };
}
