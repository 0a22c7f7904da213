import published from "../../../contract/published.json" with { type: "json" };

const { emulators } = published;
const { startupMs, ciPipeline50TestsMs: pipeline, memoryMb } = emulators;

export const publishedSource = emulators.source;

/** The source's names of the operations. */
const names: Readonly<Record<string, string>> = {
  create_table: "CreateTable",
  get: "GetItem",
  put: "PutItem",
  query: "Query (base)",
  query_index: "Query (GSI)",
  query_paginated: "Query (paginated)",
  scan: "Scan (full table)",
  update: "UpdateItem",
  transact_write: "TransactWriteItems",
  batch_get: "BatchGetItem (100 keys)",
  batch_write: "BatchWriteItem (25 items)",
  delete: "DeleteItem",
};

/** The source's median of one request, ms; it has two engines. Undefined where it has none. */
export function publishedP50Ms(engine: string, operation: string): number | undefined {
  const row = emulators.operationP50Ms.find((each) => each.operation === names[operation]);
  if (engine === "dynoxide-http") return row?.dynoxideHttp;
  return engine.startsWith("dynamodb-local") ? row?.dynamodbLocal : undefined;
}

/** DynamoDB Local over the engine, as the source has it. */
export function publishedTimesAsQuick(engine: string, operation: string): number | undefined {
  return quotient(publishedP50Ms("dynamodb-local", operation), publishedP50Ms(engine, operation));
}

export function publishedStartupMs(engine: string): number | undefined {
  const all: Readonly<Record<string, number>> = {
    "dynoxide-embedded": startupMs.dynoxideEmbedded,
    "dynoxide-http": startupMs.dynoxideHttp,
    "dynamodb-local": startupMs.dynamodbLocal,
    "dynamodb-local-warm": startupMs.dynamodbLocal,
    localstack: startupMs.localstack,
  };
  return all[engine];
}

/** Fifty tests, one after another or four at a time, ms. */
export function publishedPipelineMs(engine: string, operation: string): number | undefined {
  const all: Readonly<Record<string, readonly [number, number]>> = {
    "dynoxide-embedded": [pipeline.dynoxideEmbeddedSequential, pipeline.dynoxideEmbedded4x],
    "dynoxide-http": [pipeline.dynoxideHttpSequential, pipeline.dynoxideHttp4x],
    "dynamodb-local": [pipeline.dynamodbLocalSequential, pipeline.dynamodbLocal4x],
  };
  return all[engine]?.[operation === "pipeline" ? 0 : 1];
}

/** Resident set at rest and with 10,000 items, MB. */
export function publishedMemoryMb(engine: string, state: "idle" | "loaded"): number | undefined {
  if (engine === "dynoxide-http") {
    return state === "idle" ? memoryMb.dynoxideIdle : memoryMb.dynoxideAfter10kItems;
  }
  if (state === "loaded") return undefined;
  if (engine === "localstack") return memoryMb.localstackIdle;
  return engine.startsWith("dynamodb-local") ? memoryMb.dynamodbLocalIdle : undefined;
}

export function quotient(above: number | undefined, below: number | undefined): number | undefined {
  return above === undefined || below === undefined ? undefined : above / below;
}
