import type { Telemetry } from "../../../lib/contract/types/contract.ts";
import { formatReport } from "../../../lib/telemetry/format-report.ts";
import { FakeLogs, type FakeLogsOptions, fakeLogGroup } from "./fake-logs.ts";
import { type FakeRequest, type FakeResponse, type FakeService, jsonError } from "./http.ts";

export interface FakeCall {
  readonly name: string;
  readonly operation: string;
  /** Counts the updates of the function. */
  readonly boot: number;
  /** Counts the invocations of the environment. */
  readonly invocation: number;
  readonly requestId: string;
}

export interface FakeAnswer {
  readonly payload: unknown;
  readonly log: string;
  readonly functionError?: string;
}

export interface FakeLambdaOptions extends FakeLogsOptions {
  /** What a function answers, given what it would by itself; or the whole response. */
  readonly onInvoke?: (call: FakeCall, answer: FakeAnswer) => FakeAnswer | FakeResponse;
  /** Answers an update; undefined: the update is made. */
  readonly onUpdate?: (name: string, count: number) => FakeResponse | undefined;
  /** Answers a GetFunction; undefined: the function's configuration. */
  readonly onGet?: (name: string, count: number) => FakeResponse | undefined;
  /** LastUpdateStatus at each look after an update; absent: Successful at once. */
  readonly statuses?: readonly string[];
  readonly concurrency?: number;
}

interface FakeFunction {
  environment: Readonly<Record<string, string>>;
  boot: number;
  invocations: number;
  updates: number;
  gets: number;
  looks: number;
}

const functionPath = /^\/2015-03-31\/functions\/([^/]+)(?:\/(configuration|invocations))?$/;

/** AWS Lambda in memory: an update of a function's environment makes its next invocation a new boot. */
export class FakeLambda implements FakeService {
  readonly functions = new Map<string, FakeFunction>();
  /** What was asked, in order: GetFunction, Update, Invoke, GetAccountSettings, each with its function. */
  readonly requests: string[] = [];
  /** What Lambda wrote of every invocation, whatever its log tail had. */
  readonly logs: FakeLogs;
  readonly #options: FakeLambdaOptions;
  #count = 0;

  constructor(
    environments: Readonly<Record<string, Readonly<Record<string, string>>>>,
    options: FakeLambdaOptions = {},
  ) {
    this.#options = options;
    this.logs = new FakeLogs(options);
    for (const [name, environment] of Object.entries(environments)) {
      const counts = { boot: 0, invocations: 0, updates: 0, gets: 0, looks: 0 };
      this.functions.set(name, { environment, ...counts });
    }
  }

  respond(request: FakeRequest): FakeResponse {
    if (request.path.endsWith("/account-settings")) {
      this.requests.push("GetAccountSettings");
      const limit = this.#options.concurrency ?? 1000;
      return json({ AccountLimit: { UnreservedConcurrentExecutions: limit } });
    }
    const [, name = "", what] = functionPath.exec(decodeURIComponent(request.path)) ?? [];
    const found = this.functions.get(name);
    if (found === undefined) return jsonError(404, "ResourceNotFoundException", name);
    if (what === "configuration") return this.#update(name, found, request.body);
    if (what === "invocations") return this.#invoke(name, found, request.body);
    return this.#get(name, found);
  }

  #get(name: string, found: FakeFunction): FakeResponse {
    this.requests.push(`GetFunction ${name}`);
    found.gets += 1;
    const refused = this.#options.onGet?.(name, found.gets);
    if (refused !== undefined) return refused;
    const LastUpdateStatus = this.#options.statuses?.[found.looks] ?? "Successful";
    if (found.updates > 0) found.looks += 1;
    const Configuration = {
      FunctionName: name,
      Environment: { Variables: found.environment },
      LastUpdateStatus,
      LoggingConfig: { LogFormat: "Text", LogGroup: this.#logGroupOf(name) },
      ...(LastUpdateStatus === "Failed" && {
        LastUpdateStatusReasonCode: "InternalError",
        LastUpdateStatusReason: "it broke",
      }),
      CodeSha256: "c2hhMjU2",
      CodeSize: 5_000_000,
    };
    return json({ Configuration, Code: { Location: "https://secret.invalid" } });
  }

  #logGroupOf(name: string): string {
    const group = this.#options.logGroupOf?.(name) ?? fakeLogGroup;
    this.logs.groups.add(group);
    return group;
  }

  #update(name: string, found: FakeFunction, body: string): FakeResponse {
    this.requests.push(`Update ${name}`);
    found.updates += 1;
    const refused = this.#options.onUpdate?.(name, found.updates);
    if (refused !== undefined) return refused;
    found.environment = JSON.parse(body).Environment.Variables;
    found.boot += 1;
    found.invocations = 0;
    return json({ FunctionName: name, LastUpdateStatus: "InProgress" });
  }

  #invoke(name: string, found: FakeFunction, body: string): FakeResponse {
    this.requests.push(`Invoke ${name}`);
    this.#count += 1;
    const call: FakeCall = {
      name,
      operation: JSON.parse(body).operation,
      boot: found.boot,
      invocation: found.invocations,
      requestId: `request-${this.#count}`,
    };
    found.invocations += 1;
    const answer = answerOf(call);
    this.logs.messages.push(...answer.log.trimEnd().split("\n"));
    const { onInvoke } = this.#options;
    const chosen = onInvoke === undefined ? answer : onInvoke(call, answer);
    return "status" in chosen ? chosen : responseOf(call, chosen);
  }
}

function responseOf({ requestId }: FakeCall, answer: FakeAnswer): FakeResponse {
  const { payload, log, functionError } = answer;
  return {
    status: 200,
    headers: {
      "x-amzn-requestid": requestId,
      "x-amz-log-result": Buffer.from(log).toString("base64"),
      ...(functionError !== undefined && { "x-amz-function-error": functionError }),
    },
    body: typeof payload === "string" ? payload : JSON.stringify(payload),
  };
}

/** A sound answer: cold with Init, the same boot id until the next update. */
function answerOf({ name, operation, boot, invocation, requestId }: FakeCall): FakeAnswer {
  const isCold = invocation === 0;
  const telemetry: Telemetry = {
    durationMs: isCold ? 50 : 5,
    billedDurationMs: isCold ? 150 : 5,
    memorySizeMb: 128,
    maxMemoryUsedMb: 30,
    ...(isCold && { initDurationMs: 100 }),
  };
  const payload = {
    operation,
    runtime: "rust",
    runtimeVersion: "1.95.0",
    variant: "rust",
    durationMs: telemetry.durationMs - 1,
    sdkCallMs: telemetry.durationMs - 2,
    itemsCount: 1,
    bootId: `${name}-boot-number-${boot}`,
    coldStart: isCold,
    invocation,
  };
  const log = `START RequestId: ${requestId}\n${formatReport(requestId, telemetry)}\n`;
  return { payload, log };
}

function json(value: object): FakeResponse {
  const headers = { "content-type": "application/json" };
  return { status: 200, headers, body: JSON.stringify(value) };
}
