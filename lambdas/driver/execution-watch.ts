import { executionLookMs, executionStatus } from "../../lib/aws/run-execution.ts";
import type { DriverPorts } from "./ports.ts";

/**
 * Tells a driver between its calls whether its run was stopped. StopExecution ends neither the Lambda functions that
 * a state has started nor, at once, the children of a distributed Map: the run's own execution is looked at.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_StopExecution.html
 * https://docs.aws.amazon.com/step-functions/latest/dg/redrive-map-run.html
 */
export class ExecutionWatch {
  readonly #ports: Pick<DriverPorts, "stepFunctions" | "clockMs">;
  readonly #execution: string;
  readonly #everyMs: number;
  /** When the execution was last known to run: at first, when it called this driver. */
  #lookedMs: number;
  #hasEnded = false;

  /** @param execution ARN of the run's execution */
  constructor(ports: DriverPorts, execution: string, lanes: number) {
    this.#ports = ports;
    this.#execution = execution;
    this.#everyMs = executionLookMs(lanes);
    this.#lookedMs = ports.clockMs();
  }

  /** Whether a look has seen that the execution has ended. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Looks if the last look is too long ago. Throws if that fails: a call that may not be wanted does not begin. */
  async isRunning(): Promise<boolean> {
    const { stepFunctions, clockMs } = this.#ports;
    if (!this.#hasEnded && clockMs() - this.#lookedMs >= this.#everyMs) {
      this.#lookedMs = clockMs();
      this.#hasEnded = (await executionStatus(stepFunctions, this.#execution)) !== "RUNNING";
    }
    return !this.#hasEnded;
  }
}
