import { expect, it } from "vitest";
import { trustRemedy } from "../../lib/aws/role-trust.ts";
import { fakeAccount } from "../support/fake-aws/fake-account.ts";

type Event = Readonly<Record<string, string>>;

const own = "Kelvin-DriverplanRole-1";
const properties = (role: string) => `{"Role":"arn:aws:iam::123456789012:role/team/${role}"}`;
const refused = {
  ResourceType: "AWS::Lambda::Function",
  ResourceStatusReason: "The role defined for the function cannot be assumed by Lambda. (400)",
  ResourceProperties: properties(own),
};
const started = { ResourceStatus: "CREATE_IN_PROGRESS", ResourceStatusReason: "User Initiated" };
const role = { ResourceType: "AWS::IAM::Role", PhysicalResourceId: own };

async function remedyFor(events: readonly Event[], denied?: string): Promise<readonly string[]> {
  const { cloudFormation, clients } = fakeAccount();
  cloudFormation.stacks.set("Kelvin", { outputs: {}, events });
  if (denied !== undefined) cloudFormation.denied.add(denied);
  return await trustRemedy(clients.cloudFormation, "Kelvin");
}

const offered = [expect.stringContaining("-c trustConditions=none")];

it.each<[string, readonly Event[], readonly unknown[]]>([
  ["Lambda could not assume a role of the stack", [refused, role, started], offered],
  [
    "Step Functions could not assume a role of the stack",
    [
      {
        ResourceStatusReason:
          "Neither the global service principal states.amazonaws.com, nor the regional one is authorized to assume the provided role.",
        ResourceProperties: `{"RoleArn":"arn:aws:iam::123456789012:role/${own}"}`,
      },
      role,
      started,
    ],
    offered,
  ],
  [
    "Lambda could not assume the user's own role",
    [{ ...refused, ResourceProperties: properties("orders") }, role, started],
    [],
  ],
  [
    "something else failed",
    [{ ...refused, ResourceStatusReason: "Rate exceeded" }, role, started],
    [],
  ],
  ["that failed an earlier deploy", [started, refused, role, started], []],
])("trustConditions=none is offered by the events of the deploy: %s", async (_, events, found) => {
  expect(await remedyFor(events)).toEqual(found);
});

it("trustConditions=none is not offered if the caller may not read the events", async () => {
  expect(await remedyFor([refused, role, started], "DescribeStackEvents")).toEqual([]);
});
