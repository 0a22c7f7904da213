import { type FakeRequest, type FakeResponse, type FakeService, jsonError } from "./http.ts";

/** The end of an execution: https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeExecution.html */
interface FakeEnding {
  readonly status: string;
  readonly error?: string;
  readonly cause?: string;
  readonly output?: string;
  /** Seconds since 1970. @default the start */
  readonly stopDate?: number;
}

const startDate = Date.UTC(2026, 0, 1) / 1000;

/** Step Functions in memory: executions are started, described, listed and stopped. */
export class FakeStepFunctions implements FakeService {
  /** Status by execution ARN, in order of start. Other executions do not exist. */
  readonly executions = new Map<string, string>();
  readonly endings = new Map<string, FakeEnding>();
  /** Inputs of the started executions. */
  readonly inputs: unknown[] = [];
  /** The state machine's definition. */
  definition: object = {};
  /** Called on DescribeExecution of a running execution, before the answer. */
  onLook: (arn: string) => void = () => {};

  respond({ headers, body }: FakeRequest): FakeResponse {
    const asked = JSON.parse(body) as Readonly<Record<string, string>>;
    const action = (headers["x-amz-target"] ?? "").split(".")[1];
    switch (action) {
      case "StartExecution":
        return this.#start(asked);
      case "StopExecution":
        this.executions.set(asked.executionArn ?? "", "ABORTED");
        return answer({ stopDate: startDate });
      case "DescribeStateMachine":
        return answer({ definition: JSON.stringify(this.definition) });
      case "ListExecutions":
        return this.#list(asked);
      default:
        return this.#describe(asked.executionArn ?? "");
    }
  }

  end(arn: string, ending: FakeEnding): void {
    this.executions.set(arn, ending.status);
    this.endings.set(arn, ending);
  }

  /** https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html */
  #start({ stateMachineArn = "", name, input = "{}" }: Readonly<Record<string, string>>) {
    const executionArn = `${stateMachineArn.replace(":stateMachine:", ":execution:")}:${name}`;
    this.inputs.push(JSON.parse(input));
    this.executions.set(executionArn, "RUNNING");
    return answer({ executionArn, startDate });
  }

  /** https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListExecutions.html */
  #list({ statusFilter }: Readonly<Record<string, string>>): FakeResponse {
    const executions = [...this.executions]
      .filter(([, status]) => statusFilter === undefined || status === statusFilter)
      .map(([executionArn, status]) => ({ executionArn, status, startDate }));
    return answer({ executions: executions.reverse() });
  }

  #describe(executionArn: string): FakeResponse {
    if (this.executions.get(executionArn) === "RUNNING") this.onLook(executionArn);
    const status = this.executions.get(executionArn);
    if (status === undefined) return jsonError(400, "ExecutionDoesNotExist", executionArn);
    const ended = status === "RUNNING" ? {} : { stopDate: startDate };
    return answer({ executionArn, startDate, ...ended, ...this.endings.get(executionArn), status });
  }
}

function answer(body: object): FakeResponse {
  return {
    status: 200,
    headers: { "content-type": "application/x-amz-json-1.0" },
    body: JSON.stringify(body),
  };
}
