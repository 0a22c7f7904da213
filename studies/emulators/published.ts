import { operationNames } from "./definition.ts";
import emulators from "./published.json" with { type: "json" };

const { startupMs, ciPipeline50TestsMs: pipeline, memoryMb, diskMb } = emulators;

export const publishedSource = emulators.source;

/** Published figures of an engine; absent if the source has none. */
interface PublishedEngine {
  readonly startupMs?: number;
  /** Fifty tests, one after another and four at a time. */
  readonly pipelinesMs?: Readonly<Record<string, number>>;
  /** The engine's column in the published medians of requests. */
  readonly requests?: "dynoxideHttp" | "dynamodbLocal";
  /** Resident set when idle, and with 10,000 items. */
  readonly idleMb?: number;
  readonly loadedMb?: number;
  /** File size of an empty table, and of one with 10,000 items. */
  readonly emptyDiskMb?: number;
  readonly filledDiskMb?: number;
}

const jvm: PublishedEngine = { requests: "dynamodbLocal", idleMb: memoryMb.dynamodbLocalIdle };

const engines: Readonly<Record<string, PublishedEngine>> = {
  "dynoxide-embedded": {
    startupMs: startupMs.dynoxideEmbedded,
    pipelinesMs: pipelines(pipeline.dynoxideEmbeddedSequential, pipeline.dynoxideEmbedded4x),
  },
  "dynoxide-http": {
    startupMs: startupMs.dynoxideHttp,
    pipelinesMs: pipelines(pipeline.dynoxideHttpSequential, pipeline.dynoxideHttp4x),
    requests: "dynoxideHttp",
    idleMb: memoryMb.dynoxideIdle,
    loadedMb: memoryMb.dynoxideAfter10kItems,
  },
  "dynoxide-http-file": {
    idleMb: memoryMb.dynoxideFileBackedIdle,
    emptyDiskMb: diskMb.dynoxideFileBackedEmptyTable,
    filledDiskMb: diskMb.dynoxideFileBacked10kItems,
  },
  "dynamodb-local": {
    ...jvm,
    startupMs: startupMs.dynamodbLocal,
    pipelinesMs: pipelines(pipeline.dynamodbLocalSequential, pipeline.dynamodbLocal4x),
  },
  "dynamodb-local-warm": { ...jvm, startupMs: startupMs.dynamodbLocal },
  "dynamodb-local-file": jvm,
  localstack: { startupMs: startupMs.localstack, idleMb: memoryMb.localstackIdle },
};

function pipelines(oneByOneMs: number, fourAtATimeMs: number) {
  return { pipeline: oneByOneMs, pipeline_4: fourAtATimeMs };
}

export function publishedEngine(id: string): PublishedEngine {
  return engines[id] ?? {};
}

/** Returns the published median of one request, ms. The source has it for two engines; undefined for others. */
export function publishedP50Ms(engine: string, operation: string): number | undefined {
  const { requests } = publishedEngine(engine);
  const name = operationNames[operation]?.published;
  const row = emulators.operationP50Ms.find((each) => each.operation === name);
  return requests && row?.[requests];
}

/** Returns criterion's median of the published micro-benchmark of that name, us. */
export function publishedMicroUs(name: string | undefined): number | undefined {
  return emulators.embeddedMicroUs[name as keyof typeof emulators.embeddedMicroUs];
}

export function quotient(above: number | undefined, below: number | undefined): number | undefined {
  return above === undefined || below === undefined ? undefined : above / below;
}
