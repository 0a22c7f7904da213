import published from "../../contract/published.json" with { type: "json" };

const { emulators } = published;
const { startupMs, ciPipeline50TestsMs: pipeline, memoryMb, diskMb } = emulators;

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

/** Its names of the embedded calls. */
const microNames: Readonly<Record<string, keyof typeof emulators.embeddedMicroUs>> = {
  get: "GetItem",
  put_small: "PutItem small",
  put_medium: "PutItem medium",
  put_large: "PutItem large",
  query: "Query (base, ~50 hits)",
  query_index: "Query (GSI)",
  scan: "Scan (filter, 1K items)",
  update: "UpdateItem",
  delete: "DeleteItem",
  batch_write: "BatchWrite (25)",
  batch_get: "BatchGet (100)",
  transact_write: "TransactWrite (4)",
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
  if (engine === "dynoxide-http-file") return memoryMb.dynoxideFileBackedIdle;
  if (engine === "localstack") return memoryMb.localstackIdle;
  return engine.startsWith("dynamodb-local") ? memoryMb.dynamodbLocalIdle : undefined;
}

/** criterion's median of the source's own micro-benchmarks of the embedded engine, us. */
export function publishedMicroUs(call: string): number | undefined {
  const name = microNames[call];
  return name === undefined ? undefined : emulators.embeddedMicroUs[name];
}

/** Files of an empty table and of one with 10,000 items, MB. */
export function publishedDiskMb(engine: string, state: "empty" | "filled"): number | undefined {
  if (engine !== "dynoxide-http-file") return undefined;
  return state === "empty"
    ? diskMb.dynoxideFileBackedEmptyTable
    : diskMb.dynoxideFileBacked10kItems;
}

export function quotient(above: number | undefined, below: number | undefined): number | undefined {
  return above === undefined || below === undefined ? undefined : above / below;
}
