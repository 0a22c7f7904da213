import { type FakeRequest, type FakeResponse, type FakeService, jsonError } from "./http.ts";

/** Step Functions' DescribeExecution in memory. */
export class FakeStepFunctions implements FakeService {
  /** Status by the execution's ARN; one that is not here does not exist. */
  readonly executions = new Map<string, string>();

  respond({ body }: FakeRequest): FakeResponse {
    const { executionArn } = JSON.parse(body) as { readonly executionArn: string };
    const status = this.executions.get(executionArn);
    if (status === undefined) return jsonError(400, "ExecutionDoesNotExist", executionArn);
    return {
      status: 200,
      headers: { "content-type": "application/x-amz-json-1.0" },
      body: JSON.stringify({ executionArn, status }),
    };
  }
}
