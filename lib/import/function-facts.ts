import { platformEvent } from "../sampler/telemetry.ts";
import type { FunctionFacts } from "./source.ts";

/** An invocation that a line says has started. */
export interface StartedCall {
  readonly requestId: string;
  readonly version?: unknown;
}

export function startedCall(line: string): StartedCall | undefined {
  const [, text, printed] = /^START RequestId: (\S+)(?:\s+Version: (\S+))?/.exec(line) ?? [];
  const record = platformEvent(line, "platform.start")?.record;
  const requestId = text ?? record?.requestId;
  if (typeof requestId !== "string") return undefined;
  return { requestId, version: printed ?? record?.version };
}

/** Types of an Init that Lambda makes before any call comes. */
const beforeCalls: readonly unknown[] = ["provisioned-concurrency", "lambda-managed-instances"];

type Fact = keyof FunctionFacts | "versions";

/** Facts about the function from lines other than reports. */
export class Facts {
  readonly #found = new Map<Fact, Set<string>>();
  /** Names of functions by stream, from platform.initStart. */
  readonly #ofStream = new Map<string, string>();
  #initsBeforeCalls = 0;

  /** Adds a value; what is no text, or empty, is no fact. */
  add(fact: Fact, value: unknown): void {
    if (typeof value !== "string" || value === "") return;
    this.#found.set(fact, (this.#found.get(fact) ?? new Set()).add(value));
  }

  addLine(line: string, stream: string | undefined): void {
    const [, version, printed] =
      /^INIT_START Runtime Version: (\S+)\s+Runtime Version ARN: (\S+)/.exec(line) ?? [];
    const record = platformEvent(line, "platform.initStart")?.record;
    const arn = String(printed ?? record?.runtimeVersionArn);
    this.add("runtimeVersions", version ?? record?.runtimeVersion);
    this.add("functionNames", record?.functionName);
    this.add("regions", /^arn:[\w-]+:lambda:([\w-]+):/.exec(arn)?.[1]);
    if (beforeCalls.includes(record?.initializationType)) this.#initsBeforeCalls += 1;
    if (stream !== undefined && typeof record?.functionName === "string") {
      this.#ofStream.set(stream, record.functionName);
    }
  }

  /** Returns the function that a stream belongs to, if one of its lines says so. */
  functionOf(stream: string | undefined): string | undefined {
    return stream === undefined ? undefined : this.#ofStream.get(stream);
  }

  all(): FunctionFacts {
    const of = (fact: Fact) => [...(this.#found.get(fact) ?? [])];
    return {
      functionNames: of("functionNames"),
      regions: of("regions"),
      runtimeVersions: of("runtimeVersions"),
    };
  }

  warnings(name: string): readonly string[] {
    const versions = [...(this.#found.get("versions") ?? [])];
    const n = this.#initsBeforeCalls;
    return [
      ...(versions.length > 1 ? [versionsText(name, versions)] : []),
      ...(n === 0
        ? []
        : [
            `${name}: ${n === 1 ? "1 Init was" : `${n} Inits were`} made before any call came (provisioned concurrency or a capacity provider): no caller waited for it, though a call that reports it is counted as cold`,
          ]),
    ];
  }
}

const mostVersions = 5;

function versionsText(name: string, versions: readonly string[]): string {
  const rest = versions.length - mostVersions;
  const more = rest > 0 ? ` and ${rest} more` : "";
  const listed = versions.slice(0, mostVersions).join(", ");
  return `${name}: calls of several versions (${listed}${more}) are in it and count together, though their code may differ`;
}
