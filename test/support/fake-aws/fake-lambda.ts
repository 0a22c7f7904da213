import { createHash } from "node:crypto";
import type { Telemetry } from "../../../lib/contract/types/contract.ts";
import { experiments } from "../../../lib/experiments/catalogue.ts";
import { formatReport } from "../report-line.ts";
import { FakeLogs, type FakeLogsOptions, fakeLogGroup } from "./fake-logs.ts";
import { type FakeRequest, type FakeResponse, type FakeService, jsonError } from "./http.ts";

export interface FakeCall {
  readonly name: string;
  readonly operation: string;
  /** Number of updates of the function so far. */
  readonly boot: number;
  /** Number of earlier invocations of the environment. */
  readonly invocation: number;
  readonly requestId: string;
}

export interface FakeAnswer {
  readonly payload: unknown;
  readonly log: string;
  readonly functionError?: string;
}

export interface FakeLambdaOptions extends FakeLogsOptions {
  /** Returns a function's answer, given the default one; or the whole response. */
  readonly onInvoke?: (call: FakeCall, answer: FakeAnswer) => FakeAnswer | FakeResponse;
  /** Returns the response to an update; undefined performs the update. */
  readonly onUpdate?: (name: string, count: number) => FakeResponse | undefined;
  /** Returns the response to GetFunction; undefined returns the function's configuration. */
  readonly onGet?: (name: string, count: number) => FakeResponse | undefined;
  /**
   * Returns the runtime version after so many updates; undefined: Lambda does not report one.
   * @default the same for all
   */
  readonly runtimeVersionOf?: (name: string, updates: number) => string | undefined;
  /** Returns the CPU model in /proc/cpuinfo of a function's environment; undefined: not known. */
  readonly cpuModelOf?: (call: FakeCall) => string | undefined;
  /** LastUpdateStatus of each GetFunction after an update; absent: Successful at once. */
  readonly statuses?: readonly string[];
  /**
   * Number of GetFunction calls after an update that still return the previous state, with Successful.
   * @default none
   */
  readonly staleLooks?: number;
  readonly concurrency?: number;
  /**
   * Largest number of calls that an environment serves per second.
   * @default Lambda's 10
   */
  readonly callsASecond?: number;
  /**
   * Client latency of a new environment's first call, ms.
   * @default 0
   */
  readonly coldCallMs?: number;
}

interface FakeFunction {
  environment: Readonly<Record<string, string>>;
  /** Number of the last change; an update makes one when it starts and one when it ends. */
  revision: number;
  /** State before the last update, which GetFunction may still return. */
  before?: { readonly environment: Readonly<Record<string, string>>; readonly revision: number };
  staleLooks: number;
  /** Log stream by boot: each environment writes one in its lifetime. */
  readonly streams: Map<number, string>;
  /** Times of calls to its environment, by the fake's clock. */
  calledMs: number[];
  boot: number;
  invocations: number;
  updates: number;
  gets: number;
  looks: number;
}

export const fakeRuntimeVersion = `arn:aws:lambda:us-east-1::runtime:${"0c".repeat(32)}`;
export const fakeCpuModel = "implementer 0x41, part 0xd0c";

const functionPath = /^\/2015-03-31\/functions\/([^/]+)(?:\/(configuration|invocations))?$/;

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html#api-requests */
const usualCallsASecond = 10;

/**
 * AWS Lambda in memory. An update of a function's environment variables makes its next invocation a new boot. An
 * environment serves at most 10 calls per second of the fake's clock.
 */
export class FakeLambda implements FakeService {
  readonly functions = new Map<string, FakeFunction>();
  /** Requests in order: GetFunction, Update, Invoke, GetAccountSettings, each with its function. */
  readonly requests: string[] = [];
  /** Log of every invocation, whatever its log tail contained. */
  readonly logs: FakeLogs;
  /** Time for its callers; it advances only when they wait or a test changes it. */
  readonly clock = { ms: 0 };
  readonly #options: FakeLambdaOptions;
  #count = 0;

  constructor(
    environments: Readonly<Record<string, Readonly<Record<string, string>>>>,
    options: FakeLambdaOptions = {},
  ) {
    this.#options = options;
    this.logs = new FakeLogs(options);
    for (const [name, environment] of Object.entries(environments)) {
      const counts = {
        ...{ boot: 0, invocations: 0, updates: 0, gets: 0, looks: 0 },
        ...{ revision: 0, staleLooks: 0 },
      };
      this.functions.set(name, { environment, streams: new Map(), calledMs: [], ...counts });
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
    const stale = found.staleLooks > 0 ? found.before : undefined;
    if (stale !== undefined) found.staleLooks -= 1;
    const { environment, revision } = stale ?? found;
    const status = this.#options.statuses?.[found.looks] ?? "Successful";
    const isSettled = stale !== undefined || found.updates === 0;
    const LastUpdateStatus = isSettled ? "Successful" : status;
    if (found.updates > 0 && stale === undefined) found.looks += 1;
    const Configuration = {
      FunctionName: name,
      Environment: { Variables: environment },
      LastUpdateStatus,
      RevisionId: revisionOf(name, revision, LastUpdateStatus),
      LoggingConfig: { LogFormat: "Text", LogGroup: this.#logGroupOf(name) },
      ...(LastUpdateStatus === "Failed" && {
        LastUpdateStatusReasonCode: "InternalError",
        LastUpdateStatusReason: "it broke",
      }),
      ...this.#runtimeVersionOf(name, found),
      CodeSha256: "c2hhMjU2",
      CodeSize: 5_000_000,
    };
    return json({ Configuration, Code: { Location: "https://secret.invalid" } });
  }

  /** https://docs.aws.amazon.com/lambda/latest/api/API_RuntimeVersionConfig.html */
  #runtimeVersionOf(name: string, { updates }: FakeFunction): object {
    const { runtimeVersionOf = () => fakeRuntimeVersion } = this.#options;
    const RuntimeVersionArn = runtimeVersionOf(name, updates);
    return RuntimeVersionArn === undefined ? {} : { RuntimeVersionConfig: { RuntimeVersionArn } };
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
    found.before = { environment: found.environment, revision: found.revision };
    found.staleLooks = this.#options.staleLooks ?? 0;
    found.revision += 1;
    found.environment = JSON.parse(body).Environment.Variables;
    found.boot += 1;
    found.invocations = 0;
    found.calledMs = [];
    const LastUpdateStatus = "InProgress";
    const RevisionId = revisionOf(name, found.revision, LastUpdateStatus);
    return json({ FunctionName: name, LastUpdateStatus, RevisionId });
  }

  #invoke(name: string, found: FakeFunction, body: string): FakeResponse {
    this.requests.push(`Invoke ${name}`);
    const { callsASecond = usualCallsASecond } = this.#options;
    const inTheLastSecond = found.calledMs.filter((ms) => this.clock.ms - ms < 1000);
    if (inTheLastSecond.length >= callsASecond) {
      return jsonError(429, "TooManyRequestsException", "Rate Exceeded.");
    }
    found.calledMs.push(this.clock.ms);
    const call = this.#nextCall(name, found, Object(JSON.parse(body)).operation);
    const cpuModel = (this.#options.cpuModelOf ?? (() => fakeCpuModel))(call);
    const answer = call.operation === "describe" ? described(call, cpuModel) : answerOf(call);
    this.#log(call, found, answer);
    if (call.invocation === 0) this.clock.ms += this.#options.coldCallMs ?? 0;
    const { onInvoke } = this.#options;
    const chosen = onInvoke === undefined ? answer : onInvoke(call, answer);
    return "status" in chosen ? chosen : responseOf(call, chosen);
  }

  /** Simulates another caller's call in the function's environment. */
  calledByAnother(name: string): void {
    const found = this.functions.get(name);
    if (found === undefined) throw new Error(`no function ${name}`);
    const call = this.#nextCall(name, found, "of another");
    this.#log(call, found, answerOf(call));
  }

  #nextCall(name: string, found: FakeFunction, operation: string): FakeCall {
    this.#count += 1;
    const requestId = `request-${this.#count}`;
    const call = { name, operation, boot: found.boot, invocation: found.invocations, requestId };
    found.invocations += 1;
    return call;
  }

  #log({ name, boot }: FakeCall, found: FakeFunction, { log }: FakeAnswer): void {
    const stream = found.streams.get(boot) ?? streamOf(name, boot, this.logs.nowMs);
    found.streams.set(boot, stream);
    for (const message of log.trimEnd().split("\n")) {
      this.logs.write(message, stream, this.#logGroupOf(name));
    }
  }
}

/**
 * Returns a stream name as in a log group that the user chose, where it contains the function's name.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-loggroups.html
 */
function streamOf(name: string, boot: number, nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10).replaceAll("-", "/");
  const id = createHash("sha256").update(`${name} ${boot}`).digest("hex").slice(0, 32);
  return `${day}/${name}[$LATEST][${id}]`;
}

/** Returns one revision while the update is in progress, and another one from its end on: aws/aws-sdk issue 377. */
function revisionOf(name: string, revision: number, status: string): string {
  return `${name}-revision-${revision}${status === "InProgress" ? "-begun" : ""}`;
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

/** Returns a valid answer: with Init if cold, and the same boot id until the next update. */
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
    ...deployedAs(name),
    runtimeVersion: "1.95.0",
    durationMs: telemetry.durationMs - 1,
    sdkCallMs: telemetry.durationMs - 2,
    itemsCount: 1,
    bootId: bootIdOf(name, boot),
    coldStart: isCold,
    invocation,
  };
  const log = `START RequestId: ${requestId}\n${formatReport(requestId, telemetry)}\n`;
  return { payload, log };
}

/** Padded to the contract's minimum length. */
export function bootIdOf(name: string, boot: number): string {
  return `${name}-boot-number-${boot}`.padEnd(16, "-");
}

/** Returns the answer to a call that only reads the CPU model: no SDK call, no items. */
function described(call: FakeCall, cpuModel: string | undefined): FakeAnswer {
  const { payload, log } = answerOf(call);
  const { sdkCallMs: _, itemsCount: __, ...result } = payload as Readonly<Record<string, unknown>>;
  return { payload: { ...result, ...(cpuModel !== undefined && { cpuModel }) }, log };
}

/** Finds runtime and variant by the stack's logical id of a function; other names are the default build. */
function deployedAs(name: string): { readonly runtime: string; readonly variant: string } {
  const bare = (id: string) => id.replaceAll("-", "");
  for (const { id, variants } of experiments) {
    for (const { id: variant, source } of variants) {
      const isIt = new RegExp(`^${bare(id)}${bare(variant)}(arm64|x8664)`).test(name);
      if (isIt) return { runtime: source.kind === "python" ? "python" : "rust", variant };
    }
  }
  return { runtime: "rust", variant: "rust" };
}

function json(value: object): FakeResponse {
  const headers = { "content-type": "application/json" };
  return { status: 200, headers, body: JSON.stringify(value) };
}
