import type { FakeRequest, FakeResponse, FakeService } from "./http.ts";

interface FakeStack {
  readonly outputs: Readonly<Record<string, string>>;
  /** Pairs of resource type and physical id. */
  readonly resources?: readonly (readonly [type: string, name: string])[];
  /** Values by the parameters' keys. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Fields of the events, the newest first. */
  readonly events?: readonly Readonly<Record<string, string>>[];
}

/** CloudFormation in memory: it describes stacks in the XML of its Query protocol. */
export class FakeCloudFormation implements FakeService {
  readonly stacks = new Map<string, FakeStack>();
  /** Actions that the caller may not call. */
  readonly denied = new Set<string>();

  respond({ body }: FakeRequest): FakeResponse {
    const asked = new URLSearchParams(body);
    const action = asked.get("Action") ?? "";
    if (this.denied.has(action))
      return xmlError(403, "AccessDenied", `not authorized to perform: cloudformation:${action}`);
    if (action === "ListStacks") return summarised([...this.stacks.keys()]);
    const name = asked.get("StackName") ?? "";
    const stack = this.stacks.get(name);
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
    if (stack === undefined) return notThere(name);
    if (action === "DescribeStackEvents") return happened(stack);
    return action === "ListStackResources" ? listed(stack) : described(name, stack);
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

/**
 * Deleted stacks are listed for 90 days.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStacks.html
 */
function summarised(names: readonly string[]): FakeResponse {
  const members = [
    ...names.map((name) => [name, "CREATE_COMPLETE"]),
    ["Kelvin-gone", "DELETE_COMPLETE"],
  ].map(
    ([name, status]) =>
      `<member><StackName>${name}</StackName><StackStatus>${status}</StackStatus></member>`,
  );
  return result("ListStacks", `<StackSummaries>${members.join("")}</StackSummaries>`);
}

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStackEvents.html */
function happened({ events = [] }: FakeStack): FakeResponse {
  const members = events.map((event) => {
    const fields = Object.entries(event).map(([key, value]) => `<${key}>${value}</${key}>`);
    return `<member>${fields.join("")}</member>`;
  });
  return result("DescribeStackEvents", `<StackEvents>${members.join("")}</StackEvents>`);
}

function described(name: string, { outputs, parameters = {} }: FakeStack): FakeResponse {
  const members = Object.entries(outputs).map(
    ([key, value]) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const given = Object.entries(parameters).map(
    ([key, value]) =>
      `<member><ParameterKey>${key}</ParameterKey><ParameterValue>${value}</ParameterValue></member>`,
  );
  const stack = `<StackName>${name}</StackName><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members.join("")}</Outputs><Parameters>${given.join("")}</Parameters>`;
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
