import {
  GetPolicyCommand,
  GetPolicyVersionCommand,
  GetRolePolicyCommand,
  type IAMClient,
  paginateListAttachedRolePolicies,
  paginateListRolePolicies,
} from "@aws-sdk/client-iam";

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html */
interface Statement {
  readonly Effect: "Allow" | "Deny";
  readonly Action?: string | readonly string[];
  readonly NotAction?: string | readonly string[];
  readonly Resource?: string | readonly string[];
  readonly NotResource?: string | readonly string[];
}

/**
 * Lists what a role's policies allow besides reading and logging, such as `dynamodb:PutItem on table/orders`. Conditions,
 * denials and boundaries may take some of it back, and policies of resources may add to it.
 */
export async function listWrites(client: IAMClient, roleArn: string): Promise<readonly string[]> {
  const [, , , , account = ""] = roleArn.split(":");
  const documents = await readPolicies(client, roleArn.split("/").at(-1) ?? "");
  const statements = documents.flatMap((document): Statement[] =>
    // Documents are URL-encoded: https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetRolePolicy.html
    [JSON.parse(decodeURIComponent(document)).Statement].flat(),
  );
  const writes = statements.flatMap((statement) => describeWrites(statement, account));
  return [...new Set(writes)];
}

async function readPolicies(client: IAMClient, RoleName: string): Promise<readonly string[]> {
  const documents: (string | undefined)[] = [];
  for await (const page of paginateListAttachedRolePolicies({ client }, { RoleName })) {
    for (const { PolicyArn } of page.AttachedPolicies ?? []) {
      const { Policy } = await client.send(new GetPolicyCommand({ PolicyArn }));
      const version = { PolicyArn, VersionId: Policy?.DefaultVersionId };
      const { PolicyVersion } = await client.send(new GetPolicyVersionCommand(version));
      documents.push(PolicyVersion?.Document);
    }
  }
  for await (const { PolicyNames = [] } of paginateListRolePolicies({ client }, { RoleName })) {
    for (const PolicyName of PolicyNames) {
      const own = await client.send(new GetRolePolicyCommand({ RoleName, PolicyName }));
      documents.push(own.PolicyDocument);
    }
  }
  return documents.filter((document) => document !== undefined);
}

/**
 * Verbs of actions with the access levels List and Read. Any other verb, and a wildcard before it, counts as a write.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
const reading =
  /^[\w-]+:(?:(?:Batch|ConditionCheck|ESHttp)?(?:Get|Check)|Describe|Head|List|Lookup|PartiQLSelect|Query|Receive|Scan|Search|Select|View)/i;
const logging = /^logs:(?:CreateLogGroup|CreateLogStream|PutLogEvents)$/i;
const mostActions = 5;

function describeWrites(statement: Statement, account: string): readonly string[] {
  const { Effect, Action = [], NotAction, Resource = [], NotResource } = statement;
  const isWrite = (action: string) => !reading.test(action) && !logging.test(action);
  const writes = NotAction === undefined ? [Action].flat().filter(isWrite) : [exceptFor(NotAction)];
  if (Effect !== "Allow" || writes.length === 0) return [];
  const more = writes.length > mostActions ? ` and ${writes.length - mostActions} more` : "";
  const own = new RegExp(`^arn:[\\w-]+:[\\w-]+:[\\w-]*:(?:${account})?:(?=.)`);
  const where = NotResource === undefined ? [Resource].flat() : [exceptFor(NotResource)];
  const resources = where.map((resource) => resource.replace(own, ""));
  return [`${writes.slice(0, mostActions).join(", ")}${more} on ${resources.join(", ")}`];
}

function exceptFor(names: string | readonly string[]): string {
  return `all but ${[names].flat().join(", ")}`;
}
