import { IAMClient } from "@aws-sdk/client-iam";
import { expect, it } from "vitest";
import { listWrites } from "../../lib/aws/role-policies.ts";
import { FakeIam } from "../support/fake-aws/fake-iam.ts";
import { configFor } from "../support/fake-aws/http.ts";

const role = "arn:aws:iam::123456789012:role/team/orders";
const allow = (Action: string | readonly string[], Resource: string | readonly string[] = "*") => ({
  ...{ Effect: "Allow", Action, Resource },
});

/** What a role with these statements may write. */
async function writesOf(...statements: readonly object[]): Promise<readonly string[]> {
  const iam = new FakeIam();
  iam.roles.set("orders", { inline: { own: { Statement: statements } } });
  return await listWrites(new IAMClient(configFor(iam)), role);
}

const table = "arn:aws:dynamodb:eu-west-1:123456789012:table/orders";
it.each<[string, object, readonly string[]]>([
  [
    "an action that writes, with its resource",
    allow(["dynamodb:GetItem", "dynamodb:PutItem"], table),
    ["dynamodb:PutItem on table/orders"],
  ],
  ["no action that reads", allow(["s3:Get*", "s3:ListBucket", "sqs:ReceiveMessage"]), []],
  ["no own logs", allow(["logs:CreateLogStream", "logs:PutLogEvents"]), []],
  [
    "a wildcard that includes writes",
    allow("dynamodb:*Item", table),
    ["dynamodb:*Item on table/orders"],
  ],
  ["every action", allow("*"), ["* on *"]],
  [
    "a verb that is not known to read",
    allow("lambda:InvokeFunction"),
    ["lambda:InvokeFunction on *"],
  ],
  [
    "resources of another account by their whole ARN",
    allow("sqs:SendMessage", ["arn:aws:sqs:eu-west-1:210987654321:jobs", "arn:aws:s3:::uploads/*"]),
    ["sqs:SendMessage on arn:aws:sqs:eu-west-1:210987654321:jobs, uploads/*"],
  ],
  [
    "all but the actions and resources that are left out",
    { Effect: "Allow", NotAction: "iam:*", NotResource: ["arn:aws:s3:::secret"] },
    ["all but iam:* on all but arn:aws:s3:::secret"],
  ],
  ["nothing that is denied", { Effect: "Deny", Action: "*", Resource: "*" }, []],
  [
    "the number of further actions of a statement",
    allow(["a:Put1", "a:Put2", "a:Put3", "a:Put4", "a:Put5", "a:Put6", "a:Put7"]),
    ["a:Put1, a:Put2, a:Put3, a:Put4, a:Put5 and 2 more on *"],
  ],
])("of a role's policies, %s is named", async (_, statement, writes) => {
  expect(await writesOf(statement)).toEqual(writes);
});

it("reads attached policies in their default version, and one that is a single statement", async () => {
  const iam = new FakeIam();
  iam.roles.set("orders", {
    attached: { "arn:aws:iam::aws:policy/Queues": { Statement: allow("sqs:SendMessage") } },
    inline: { own: { Statement: [allow("sns:Publish"), allow("sns:Publish")] } },
  });
  const client = new IAMClient(configFor(iam));
  expect(await listWrites(client, role)).toEqual(["sqs:SendMessage on *", "sns:Publish on *"]);
});
