import { performance } from "node:perf_hooks";
import { InvokeCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import { describeError } from "../contract/errors.ts";
import type { Cell } from "../contract/types/contract.ts";
import type { Invocation, Target } from "../protocol/target.ts";
import type { FunctionEnvironments } from "./function-environment.ts";
import { invocationOf } from "./invoke-response.ts";

/** The environment variable whose change makes a function cold. */
export const nonceVariable = "KELVIN_NONCE";

export interface LambdaTargetOptions {
  /** Makes the measured calls; must not retry (measuringLambdaClient). */
  readonly measuring: LambdaClient;
  readonly environments: FunctionEnvironments;
  /** The deployed function of a cell. */
  readonly functionName: (cell: Cell) => string;
  /** A new value at each call. */
  readonly nonce: () => string;
  /** A measured call is given up after this long: the function's timeout, and the way there and back. */
  readonly invokeLimitMs: number;
  readonly now?: () => Date;
  /** Monotonic. */
  readonly clockMs?: () => number;
}

/** Functions on AWS Lambda. */
export class LambdaTarget implements Target {
  readonly kind = "aws";
  readonly #options: LambdaTargetOptions;
  readonly #now: () => Date;
  readonly #clockMs: () => number;

  constructor(options: LambdaTargetOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    this.#clockMs = options.clockMs ?? (() => performance.now());
  }

  /** Changes a variable of the function's environment: the next invocation then meets a new one. */
  async forceCold(cell: Cell): Promise<void> {
    const { environments, functionName, nonce } = this.#options;
    const name = functionName(cell);
    const variables = await environments.read(name);
    await environments.replace(name, { ...variables, [nonceVariable]: nonce() });
    await environments.untilUpdated(name);
  }

  /** https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */
  async invoke(cell: Cell, event: { readonly operation: string }): Promise<Invocation> {
    const { measuring, functionName, invokeLimitMs } = this.#options;
    const command = new InvokeCommand({
      FunctionName: functionName(cell),
      InvocationType: "RequestResponse",
      LogType: "Tail",
      Payload: Buffer.from(JSON.stringify(event)),
    });
    const startedAt = this.#now().toISOString();
    const startedMs = this.#clockMs();
    try {
      const abortSignal = AbortSignal.timeout(invokeLimitMs);
      const response = await measuring.send(command, { abortSignal });
      const clientLatencyMs = this.#clockMs() - startedMs;
      return { startedAt, clientLatencyMs, ...invocationOf(response) };
    } catch (error) {
      return { startedAt, ...requestIdOf(error), error: describeError(error) };
    }
  }
}

function requestIdOf(error: unknown): { requestId?: string } {
  const requestId = (error as { $metadata?: { requestId?: string } }).$metadata?.requestId;
  return requestId === undefined ? {} : { requestId };
}
