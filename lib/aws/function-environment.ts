import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import {
  type FunctionConfiguration,
  GetAccountSettingsCommand,
  GetFunctionCommand,
  type LambdaClient,
  ResourceConflictException,
  UpdateFunctionConfigurationCommand,
} from "@aws-sdk/client-lambda";
import { defined } from "../contract/defined.ts";
import { describeError } from "../contract/errors.ts";
import type { Artefact, Cell, ForcedCold } from "../contract/types/contract.ts";
import { forEachConcurrently } from "../sampler/result-store.ts";
import type { ControlLambdaClient } from "./clients.ts";
import { withDeletedByHand } from "./deleted-by-hand.ts";

/** Polling intervals and total limit of the wait for an update, in seconds. */
export interface UpdateWait {
  readonly minDelay: number;
  readonly maxDelay: number;
  readonly maxWaitTime: number;
}

/** Most updates end within seconds, and the driver is billed while it waits. */
const defaultWait: UpdateWait = { minDelay: 0.25, maxDelay: 3, maxWaitTime: 120 };
const updateAttempts = 4;

/** Thrown if an update of a function's configuration did not take effect. */
class UpdateFailed extends Error {
  override readonly name = "UpdateFailed";
  constructor(functionName: string, reason: string) {
    super(`${functionName} was not updated: ${reason}`);
  }
}

/**
 * Reads and replaces the environment variables of deployed functions. It reads with GetFunction only, which allows
 * 100 requests per second, where the rest of the control plane allows 15.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html#api-requests
 */
export class FunctionEnvironments {
  readonly #client: ControlLambdaClient;
  readonly #wait: UpdateWait;
  /** Revision ids (UUIDs): all that Lambda has returned so far, and those from before the last update. */
  readonly #seen = new Set<string>();
  #outdated: ReadonlySet<string> = new Set();

  /** @param wait Default: polls after 0.25 to 3 seconds, for at most 2 minutes. */
  constructor(client: ControlLambdaClient, wait: UpdateWait = defaultWait) {
    this.#client = client;
    this.#wait = wait;
  }

  /** Throttling of all calls so far. */
  get throttling(): ForcedCold {
    return this.#client.throttling;
  }

  /** Throws if Lambda returns an error in place of the variables: an update based on the rest would erase them. */
  async read(name: string): Promise<Readonly<Record<string, string>>> {
    const environment = (await this.#configuration(name))?.Environment;
    const problem = environment?.Error;
    if (problem !== undefined) {
      const cause = problem.Message ?? problem.ErrorCode ?? "no reason given";
      throw new Error(`${name}: its environment variables cannot be read: ${cause}`);
    }
    return environment?.Variables ?? {};
  }

  /** Replaces all of the function's variables; Lambda has no partial update. */
  async replace(name: string, variables: Readonly<Record<string, string>>): Promise<void> {
    const command = new UpdateFunctionConfigurationCommand({
      FunctionName: name,
      Environment: { Variables: { ...variables } },
    });
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { RevisionId: revision } = await this.#client.send(command);
        // A known revision means that the update changed nothing: the variables already had these values.
        this.#outdated = new Set([...this.#seen].filter((seen) => seen !== revision));
        return;
      } catch (error) {
        // 409: an earlier update is still in progress. The update is sent again when that has ended.
        const isConflict = error instanceof ResourceConflictException;
        if (!isConflict || attempt === updateAttempts) throw error;
        await this.untilUpdated(name);
      }
    }
  }

  /**
   * Polls until LastUpdateStatus is Successful, as AWS's own waiter does, and throws if it is Failed. A response with
   * a revision from before the update is stale, whatever its status. The update's own revision cannot be awaited:
   * Lambda assigns another one when the update ends (https://github.com/aws/aws-sdk/issues/377).
   * https://docs.aws.amazon.com/lambda/latest/dg/functions-states.html
   *
   * Returns the ARN of the function's runtime version, if Lambda reports it: an update moves the function to the
   * newest version (https://docs.aws.amazon.com/lambda/latest/dg/runtimes-update.html), and GetFunction returns it
   * (https://docs.aws.amazon.com/lambda/latest/api/API_FunctionConfiguration.html).
   */
  async untilUpdated(name: string): Promise<string | undefined> {
    const { minDelay, maxDelay, maxWaitTime } = this.#wait;
    const endMs = performance.now() + maxWaitTime * 1000;
    for (let waitSeconds = minDelay; ; waitSeconds = Math.min(maxDelay, waitSeconds * 2)) {
      const configuration = await this.#afterUpdate(name);
      const { LastUpdateStatus: status } = configuration ?? {};
      if (status === "Successful") return configuration?.RuntimeVersionConfig?.RuntimeVersionArn;
      const isLate = performance.now() + waitSeconds * 1000 > endMs;
      if (status === "Failed" || isLate) throw new UpdateFailed(name, describeState(configuration));
      await delay(waitSeconds * 1000);
    }
  }

  /** Returns the configuration, or undefined if the response is from before the last update. */
  async #afterUpdate(name: string): Promise<FunctionConfiguration | undefined> {
    const configuration = await this.#configuration(name).catch((error: unknown) => {
      throw new UpdateFailed(name, describeError(error).message);
    });
    const { RevisionId: revision } = configuration ?? {};
    return revision !== undefined && this.#outdated.has(revision) ? undefined : configuration;
  }

  async #configuration(name: string): Promise<FunctionConfiguration | undefined> {
    const request = this.#client.send(new GetFunctionCommand({ FunctionName: name }));
    const { Configuration: configuration } = await request.catch((error: unknown) => {
      throw withDeletedByHand(error, { kind: "function", name });
    });
    if (configuration?.RevisionId !== undefined) this.#seen.add(configuration.RevisionId);
    return configuration;
  }
}

/** Functions that are updated at the same time. */
const lanes = 4;

/**
 * Replaces values of the variables of deployed functions, by themselves. No template has the new ones: CloudFormation
 * shows a template for 90 days after its stack is deleted.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_GetTemplate.html
 */
export async function replaceValues(
  client: ControlLambdaClient,
  names: readonly string[],
  values: ReadonlyMap<string, string>,
): Promise<void> {
  await forEachConcurrently(names, lanes, async (name) => {
    const environments = new FunctionEnvironments(client);
    const before = Object.entries(await environments.read(name));
    if (!before.some(([, value]) => values.has(value))) return;
    const after = before.map(([variable, value]) => [variable, values.get(value) ?? value]);
    await environments.replace(name, Object.fromEntries(after));
    await environments.untilUpdated(name);
  });
}

function describeState(configuration: FunctionConfiguration | undefined): string {
  if (configuration === undefined)
    return "Lambda returned only the configuration from before the update";
  const { LastUpdateStatus, LastUpdateStatusReasonCode, LastUpdateStatusReason } = configuration;
  const cause =
    LastUpdateStatusReason === undefined
      ? ""
      : ` (${LastUpdateStatusReasonCode ?? "no code"}: ${LastUpdateStatusReason})`;
  return `LastUpdateStatus is ${LastUpdateStatus}${cause}`;
}

interface AccountLimits {
  /** Concurrent executions that no function has reserved. */
  readonly unreservedConcurrency: number;
}

/**
 * Returns the account's limits in this region. New accounts start with 10.
 * https://docs.aws.amazon.com/lambda/latest/api/API_AccountLimit.html
 */
export async function accountLimits(client: LambdaClient): Promise<AccountLimits> {
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
  const unreserved = AccountLimit?.UnreservedConcurrentExecutions;
  const concurrency = unreserved ?? AccountLimit?.ConcurrentExecutions;
  if (concurrency === undefined)
    throw new Error("GetAccountSettings returned no concurrency limit");
  return { unreservedConcurrency: concurrency };
}

/** Returns CodeSha256 and CodeSize of each variant and architecture, read from one of its functions. */
export async function functionArtefacts(
  client: LambdaClient,
  cells: readonly Cell[],
  functionName: (cell: Cell) => string,
): Promise<readonly Artefact[]> {
  const firstOfEach = new Map<string, Cell>();
  for (const cell of cells) {
    const key = `${cell.variant} ${cell.architecture}`;
    if (!firstOfEach.has(key)) firstOfEach.set(key, cell);
  }
  const artefacts: Artefact[] = [];
  for (const cell of firstOfEach.values()) {
    const FunctionName = functionName(cell);
    const { Configuration } = await client.send(new GetFunctionCommand({ FunctionName }));
    const { CodeSha256: sha256, CodeSize: zipBytes } = Configuration ?? {};
    artefacts.push({
      variant: cell.variant,
      architecture: cell.architecture,
      ...defined({ sha256, zipBytes }),
    });
  }
  return artefacts;
}
