import {
  type FunctionConfiguration,
  GetFunctionCommand,
  ResourceConflictException,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from "@aws-sdk/client-lambda";
import { describeError } from "../contract/errors.ts";
import type { ForcedCold } from "../contract/types/contract.ts";
import type { ControlLambdaClient } from "./clients.ts";

/** How the end of an update is awaited, in seconds. */
export interface UpdateWait {
  readonly minDelay: number;
  readonly maxDelay: number;
  readonly maxWaitTime: number;
}

/** Most updates are over within seconds, in which the driver is billed for waiting. */
const defaultWait: UpdateWait = { minDelay: 0.25, maxDelay: 3, maxWaitTime: 120 };
const updateAttempts = 4;

/** The function's configuration did not come into force. */
export class UpdateFailed extends Error {
  override readonly name = "UpdateFailed";
  constructor(functionName: string, reason: string) {
    super(`${functionName} was not updated: ${reason}`);
  }
}

/**
 * The environment variables of deployed functions. All reading is by GetFunction, which may be asked
 * 100 times a second where the rest of the control plane may be 15 times
 * (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html#api-requests).
 */
export class FunctionEnvironments {
  readonly #client: ControlLambdaClient;
  readonly #wait: UpdateWait;

  /** @param wait absent: a quarter of a second to 3 seconds between looks, 2 minutes in all. */
  constructor(client: ControlLambdaClient, wait: UpdateWait = defaultWait) {
    this.#client = client;
    this.#wait = wait;
  }

  /** The throttling of every call so far. */
  get throttling(): ForcedCold {
    return this.#client.throttling;
  }

  /**
   * Throws when Lambda could not read the variables (it then answers with an error in their place):
   * an update made of what is left would wipe them.
   */
  async read(name: string): Promise<Readonly<Record<string, string>>> {
    const environment = (await this.#configuration(name))?.Environment;
    const problem = environment?.Error;
    if (problem !== undefined) {
      const cause = problem.Message ?? problem.ErrorCode ?? "no reason given";
      throw new Error(`${name}: its environment variables cannot be read: ${cause}`);
    }
    return environment?.Variables ?? {};
  }

  /** Makes these the function's variables, all of them: Lambda replaces the whole map. */
  async replace(name: string, variables: Readonly<Record<string, string>>): Promise<void> {
    const command = new UpdateFunctionConfigurationCommand({
      FunctionName: name,
      Environment: { Variables: { ...variables } },
    });
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#client.send(command);
        return;
      } catch (error) {
        // 409: an earlier update is under way; when that has ended, ours can be made.
        const isConflict = error instanceof ResourceConflictException;
        if (!isConflict || attempt === updateAttempts) throw error;
        await this.untilUpdated(name);
      }
    }
  }

  /**
   * AWS's own waiter: it asks for LastUpdateStatus until that is Successful; Failed is an error.
   * https://docs.aws.amazon.com/lambda/latest/dg/functions-states.html
   */
  async untilUpdated(name: string): Promise<void> {
    try {
      const waiter = { client: this.#client, ...this.#wait };
      await waitUntilFunctionUpdatedV2(waiter, { FunctionName: name });
    } catch (error) {
      throw new UpdateFailed(name, await this.#whyNotUpdated(name, error));
    }
  }

  /** The waiter's own message holds the whole answer, the link to the code included. */
  async #whyNotUpdated(name: string, error: unknown): Promise<string> {
    const configuration = await this.#configuration(name).catch(() => undefined);
    const { LastUpdateStatus: status } = configuration ?? {};
    if (configuration === undefined || status === undefined) return describeError(error).message;
    const { LastUpdateStatusReasonCode: code, LastUpdateStatusReason: reason } = configuration;
    const cause = reason === undefined ? "" : ` (${code ?? "no code"}: ${reason})`;
    return `LastUpdateStatus is ${status}${cause}`;
  }

  async #configuration(name: string): Promise<FunctionConfiguration | undefined> {
    const response = await this.#client.send(new GetFunctionCommand({ FunctionName: name }));
    return response.Configuration;
  }
}
