import { platformEvent } from "../sampler/telemetry.ts";
import type { FunctionFacts } from "./source.ts";

/** An invocation that a line says has started. */
export interface StartedCall {
  readonly requestId: string;
  readonly version?: string;
}

export function startedCall(line: string): StartedCall | undefined {
  const [, text, version] = /^START RequestId: (\S+)(?:\s+Version: (\S+))?/.exec(line) ?? [];
  const record = platformEvent(line, "platform.start")?.record;
  const requestId = text ?? record?.requestId;
  if (typeof requestId !== "string") return undefined;
  const found = version ?? record?.version;
  return { requestId, ...(typeof found === "string" && { version: found }) };
}

/** Types of an Init that Lambda makes before any call comes. */
const beforeCalls: readonly unknown[] = ["provisioned-concurrency", "lambda-managed-instances"];

/** Facts about the function from lines other than reports. */
export class Facts {
  readonly #functionNames = new Set<string>();
  readonly #regions = new Set<string>();
  readonly #runtimeVersions = new Set<string>();
  readonly #versions = new Set<string>();
  /** Names of functions by stream, from platform.initStart. */
  readonly #ofStream = new Map<string, string>();
  #initsBeforeCalls = 0;

  add(line: string, stream: string | undefined): void {
    const [, version, arn] =
      /^INIT_START Runtime Version: (\S+)\s+Runtime Version ARN: (\S+)/.exec(line) ?? [];
    const record = platformEvent(line, "platform.initStart")?.record;
    addText(this.#runtimeVersions, version ?? record?.runtimeVersion);
    addText(this.#functionNames, record?.functionName);
    const found = arn ?? record?.runtimeVersionArn;
    const [, region] = /^arn:[\w-]+:lambda:([\w-]+):/.exec(String(found)) ?? [];
    addText(this.#regions, region);
    if (beforeCalls.includes(record?.initializationType)) this.#initsBeforeCalls += 1;
    if (stream !== undefined && typeof record?.functionName === "string") {
      this.#ofStream.set(stream, record.functionName);
    }
  }

  addStart({ version }: StartedCall): void {
    addText(this.#versions, version);
  }

  addFunction(name: string): void {
    this.#functionNames.add(name);
  }

  /** Returns the function that a stream belongs to, if one of its lines says so. */
  functionOf(stream: string | undefined): string | undefined {
    return stream === undefined ? undefined : this.#ofStream.get(stream);
  }

  all(): FunctionFacts {
    return {
      functionNames: [...this.#functionNames],
      regions: [...this.#regions],
      runtimeVersions: [...this.#runtimeVersions],
    };
  }

  warnings(name: string): readonly string[] {
    const inits = this.#initsBeforeCalls;
    return [
      ...(this.#versions.size > 1 ? [versionsText(name, [...this.#versions])] : []),
      ...(inits > 0 ? [initsText(name, inits)] : []),
    ];
  }
}

function addText(set: Set<string>, value: unknown): void {
  if (typeof value === "string" && value !== "") set.add(value);
}

const mostVersions = 5;

function versionsText(name: string, versions: readonly string[]): string {
  const rest = versions.length - mostVersions;
  const more = rest > 0 ? ` and ${rest} more` : "";
  const listed = versions.slice(0, mostVersions).join(", ");
  return `${name}: calls of several versions (${listed}${more}) are in it and count together, though their code may differ`;
}

function initsText(name: string, n: number): string {
  const inits = n === 1 ? "1 Init was" : `${n} Inits were`;
  return `${name}: ${inits} made before any call came (provisioned concurrency or a capacity provider): no caller waited for it, though a call that reports it is counted as cold`;
}
