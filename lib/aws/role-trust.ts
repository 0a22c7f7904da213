import {
  type CloudFormationClient,
  paginateDescribeStackEvents,
  type StackEvent,
} from "@aws-sdk/client-cloudformation";

/** What Lambda and Step Functions say if they cannot assume the role of a new function or state machine. */
const refusal = /cannot be assumed by Lambda|authorized to assume the provided role/;

const remedy =
  "a service could not assume a role of the stack: -c trustConditions=none leaves aws:SourceAccount out of the roles' trust";

/**
 * Returns the remedy if the last deploy failed because a service could not assume a role that the stack created: on
 * other roles Kelvin puts no condition. The newest events come first, down to the one that started the deploy.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_StackEvent.html
 */
export async function trustRemedy(
  client: CloudFormationClient,
  name: string,
): Promise<readonly string[]> {
  const events: StackEvent[] = [];
  try {
    for await (const page of paginateDescribeStackEvents({ client }, { StackName: name }))
      events.push(...(page.StackEvents ?? []));
  } catch {
    return [];
  }
  const start = events.findIndex((event) => event.ResourceStatusReason === "User Initiated");
  const roles = events.filter(({ ResourceType }) => ResourceType === "AWS::IAM::Role");
  const isRefused = events
    .slice(0, start)
    .some(
      ({ ResourceStatusReason: reason = "", ResourceProperties: properties = "" }) =>
        refusal.test(reason) &&
        roles.some(({ PhysicalResourceId: role }) => properties.includes(`/${role}"`)),
    );
  return isRefused ? [remedy] : [];
}
