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
import type { ControlLambdaClient } from "./clients.ts";
import { withDeletedByHand } from "./deleted-by-hand.ts";

/** Settings for waiting until an update ends, in seconds. */
export interface UpdateWait {
  readonly minDelay: number;
  readonly maxDelay: number;
  readonly maxWaitTime: number;
}

/** Most updates are over within seconds, in which the driver is billed for waiting. */
const defaultWait: UpdateWait = { minDelay: 0.25, maxDelay: 3, maxWaitTime: 120 };
const updateAttempts = 4;

/** The function's configuration did not come into force. */
class UpdateFailed extends Error {
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
  /** Revisions, each a UUID: those that were answered so far, and those of before the last update. */
  readonly #seen = new Set<string>();
  #outdated: ReadonlySet<string> = new Set();

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
        const { RevisionId: revision } = await this.#client.send(command);
        // Should it be one of before, the update changed nothing: what is there is what was asked for.
        this.#outdated = new Set([...this.#seen].filter((seen) => seen !== revision));
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
   * Asks for LastUpdateStatus until that is Successful, as AWS's own waiter does; Failed is an error. An
   * answer that has the revision of before the update is an older one, whatever its status. The update's
   * own revision cannot be waited for: Lambda gives the function another one when the update ends
   * (https://github.com/aws/aws-sdk/issues/377).
   * https://docs.aws.amazon.com/lambda/latest/dg/functions-states.html
   *
   * Gives the ARN of the runtime's version that the function has now, where Lambda says it: an update takes
   * the newest one there is (https://docs.aws.amazon.com/lambda/latest/dg/runtimes-update.html), and
   * GetFunction answers with it (https://docs.aws.amazon.com/lambda/latest/api/API_FunctionConfiguration.html).
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

  /** The configuration since the last update; undefined where an older one was answered. */
  async #afterUpdate(name: string): Promise<FunctionConfiguration | undefined> {
    const configuration = await this.#configuration(name).catch((error: unknown) => {
      throw new UpdateFailed(name, describeError(error).message);
    });
    const { RevisionId: revision } = configuration ?? {};
    return revision !== undefined && this.#outdated.has(revision) ? undefined : configuration;
  }

  async #configuration(name: string): Promise<FunctionConfiguration | undefined> {
    const asked = this.#client.send(new GetFunctionCommand({ FunctionName: name }));
    const { Configuration: configuration } = await asked.catch((error: unknown) => {
      throw withDeletedByHand(error, { kind: "function", name });
    });
    if (configuration?.RevisionId !== undefined) this.#seen.add(configuration.RevisionId);
    return configuration;
  }
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
  /** Executions of all functions at once that no reservation has taken. */
  readonly unreservedConcurrency: number;
}

/**
 * The account's limits in this region; new accounts start with 10.
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

/** The deployed code of each variant and architecture: CodeSha256 and CodeSize of one of its functions. */
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
