import { executionLookMs, executionStatus } from "../../lib/aws/run-execution.ts";
import { nameOfRun } from "../../lib/aws/run-lock.ts";
import type { Cell, Plan } from "../../lib/contract/types/contract.ts";
import { callUsd } from "../../lib/cost/invocation-cost.ts";
import { lookEveryMs } from "../../lib/cost/own-costs.ts";
import { awsRunModel } from "../../lib/cost/run-model.ts";
import { driverArchitecture, driverMemoryMb } from "../../lib/plan/driver-size.ts";
import type { Allowance } from "../../lib/run/messages.ts";
import type { Invocation } from "../../lib/sampler/target.ts";
import { type DriverPorts, runLock } from "./ports.ts";
import { pricesOf } from "./stored-plan.ts";

interface CallLimitsOptions {
  readonly allowance?: Allowance;
  readonly plan: Plan;
  readonly handler: "measure" | "try-functions";
  /** ARN of the run's execution. */
  readonly execution: string;
  /** Time after which no call may begin, by the ports' clock. */
  readonly endMs: number;
  /** What drivers before it have spent of its allowance, USD. */
  readonly spentUsd?: number | undefined;
}

/**
 * Decides before each call of a driver whether it may begin: not after the driver's time, if its share of the run's
 * cap is spent, if the run was stopped, or if another run has the stack. StopExecution ends neither the Lambda
 * functions that a state has started nor, at once, the children of a distributed Map: drivers look at the run itself.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_StopExecution.html
 * https://docs.aws.amazon.com/step-functions/latest/dg/redrive-map-run.html
 */
export class CallLimits {
  readonly #ports: DriverPorts;
  readonly #options: CallLimitsOptions;
  readonly #startMs: number;
  readonly #calls = new Map<string, { readonly cellId: string; readonly usd: number }>();
  #lockLookMs = Number.NEGATIVE_INFINITY;
  /** At first when the execution has called this driver. */
  #executionLookMs: number;
  /** The other run that uses the stack, if any. */
  replacedBy: string | undefined;
  isStopped = false;

  constructor(ports: DriverPorts, options: CallLimitsOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#startMs = ports.clockMs();
    this.#executionLookMs = this.#startMs;
  }

  get isSpent(): boolean {
    return this.usd >= (this.#options.allowance?.limitUsd ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Cost of the calls and of this driver, of those before it, and of the items that do not depend on durations; 0 if
   * their prices are not known.
   */
  get usd(): number {
    const { plan, allowance: { fixedUsd = 0 } = {}, spentUsd } = this.#options;
    const transitionUsd =
      pricesOf(plan).regions[this.#ports.region]?.stepFunctionsTransitionUsd ?? 0;
    const beforeUsd = spentUsd === undefined ? fixedUsd : spentUsd + 2 * transitionUsd;
    const ownMs = this.#ports.clockMs() - this.#startMs + awsRunModel.trialOverheadMs;
    return beforeUsd + this.#driverUsd(ownMs) + this.#sumUsd();
  }

  /** Cost of a trial of each cell that makes these calls; a cell without calls may cost as much as all others. */
  get cellsUsd(): Readonly<Record<string, number>> {
    const { plan, allowance: { fixedUsd = 0 } = {} } = this.#options;
    const { forceColdMs, trialOverheadMs } = awsRunModel;
    const leastUsd = fixedUsd + this.#driverUsd(forceColdMs + trialOverheadMs);
    const usdOf = ({ id }: Cell) => leastUsd + (this.#sumUsd(id) || this.#sumUsd()) || 1;
    return Object.fromEntries(plan.cells.map((cell) => [cell.id, usdOf(cell)]));
  }

  /** Counts a call by its Billed Duration, or by its timeout until there is a report; again if that came later. */
  count(cell: Cell, call: Pick<Invocation, "requestId" | "telemetry" | "error">): void {
    const { requestId, telemetry, error } = call;
    // Lambda refused the call: no function ran. https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
    if (error?.type === "TooManyRequestsException") return;
    const timeoutMs = 1000 * this.#options.plan.timeoutSeconds;
    const usd = this.#callUsd(cell, telemetry?.billedDurationMs ?? timeoutMs);
    const key = requestId ?? `without an id ${this.#calls.size}`;
    this.#calls.set(key, { cellId: cell.id, usd });
  }

  /** Throws if it cannot be found out: a call that nobody may want does not begin. */
  async mayGoOn(): Promise<boolean> {
    const { clockMs, stepFunctions } = this.#ports;
    const { plan, handler, execution, endMs } = this.#options;
    if (clockMs() >= endMs || this.isSpent || this.isStopped) return false;
    if (this.replacedBy === undefined && clockMs() - this.#lockLookMs >= lookEveryMs) {
      this.#lockLookMs = clockMs();
      this.replacedBy = await this.#otherHolder();
    }
    if (this.replacedBy !== undefined) return false;
    const lanes = handler === "measure" ? plan.lanes : 1;
    if (clockMs() - this.#executionLookMs >= executionLookMs(lanes)) {
      this.#executionLookMs = clockMs();
      this.isStopped = (await executionStatus(stepFunctions, execution)) !== "RUNNING";
    }
    return !this.isStopped;
  }

  async #otherHolder(): Promise<string | undefined> {
    const holder = (await runLock(this.#ports).read())?.holder;
    if (holder === undefined) return "none: its lock was deleted";
    return holder.execution === this.#options.execution ? undefined : nameOfRun(holder);
  }

  #sumUsd(cellId?: string): number {
    const calls = [...this.#calls.values()].filter(
      (call) => (cellId ?? call.cellId) === call.cellId,
    );
    return calls.reduce((sum, { usd }) => sum + usd, 0);
  }

  #driverUsd(billedDurationMs: number): number {
    const { plan, handler } = this.#options;
    const architecture = driverArchitecture(plan.cells);
    return this.#callUsd({ architecture, memoryMb: driverMemoryMb[handler] }, billedDurationMs);
  }

  #callUsd(of: Pick<Cell, "architecture" | "memoryMb">, billedDurationMs: number): number {
    const prices = pricesOf(this.#options.plan);
    return callUsd(of, billedDurationMs, { region: this.#ports.region, prices }) ?? 0;
  }
}
