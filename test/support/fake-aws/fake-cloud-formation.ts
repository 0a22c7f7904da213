import type { FakeRequest, FakeResponse, FakeService } from "./http.ts";

interface FakeStack {
  readonly outputs: Readonly<Record<string, string>>;
  /** Pairs of resource type and physical id. */
  readonly resources?: readonly (readonly [type: string, name: string])[];
}

/** CloudFormation in memory: it describes stacks in the XML of its Query protocol. */
export class FakeCloudFormation implements FakeService {
  readonly stacks = new Map<string, FakeStack>();

  respond({ body }: FakeRequest): FakeResponse {
    const asked = new URLSearchParams(body);
    const name = asked.get("StackName") ?? "";
    const stack = this.stacks.get(name);
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
    if (stack === undefined) return notThere(name);
    return asked.get("Action") === "ListStackResources" ? listed(stack) : described(name, stack);
  }
}

function notThere(name: string): FakeResponse {
  return xmlError(400, "ValidationError", `Stack with id ${name} does not exist`);
}

/** An error of a service with the Query protocol. */
export function xmlError(status: number, code: string, message: string): FakeResponse {
  const error = `<Type>Sender</Type><Code>${code}</Code><Message>${message}</Message>`;
  return xml(status, `<ErrorResponse><Error>${error}</Error></ErrorResponse>`);
}

function described(name: string, { outputs }: FakeStack): FakeResponse {
  const members = Object.entries(outputs).map(
    ([key, value]) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const stack = `<StackName>${name}</StackName><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members.join("")}</Outputs>`;
  return result("DescribeStacks", `<Stacks><member>${stack}</member></Stacks>`);
}

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackResources.html */
function listed({ resources = [] }: FakeStack): FakeResponse {
  const members = resources.map(
    ([type, name]) =>
      `<member><ResourceType>${type}</ResourceType><PhysicalResourceId>${name}</PhysicalResourceId></member>`,
  );
  const all = `<StackResourceSummaries>${members.join("")}</StackResourceSummaries>`;
  return result("ListStackResources", all);
}

/** The answer of a service with the Query protocol. */
export function result(action: string, content: string): FakeResponse {
  return xml(
    200,
    `<${action}Response><${action}Result>${content}</${action}Result></${action}Response>`,
  );
}

function xml(status: number, body: string): FakeResponse {
  return { status, headers: { "content-type": "text/xml" }, body };
}
