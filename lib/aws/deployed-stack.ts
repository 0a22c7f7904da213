import {
  CloudFormationClient,
  paginateListStacks,
  type Stack,
} from "@aws-sdk/client-cloudformation";
import { IAMClient } from "@aws-sdk/client-iam";
import { S3Client } from "@aws-sdk/client-s3";
import { DescribeStateMachineCommand, SFNClient } from "@aws-sdk/client-sfn";
import { SSMClient } from "@aws-sdk/client-ssm";
import { getDefaultRoleAssumer, STSClient } from "@aws-sdk/client-sts";
import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import { type Deployment, usualStackName } from "../plan/deployment.ts";
import { accountAccess } from "./account-access.ts";
import { cloudFormationProblem, describeStack, usualQualifier } from "./bootstrap-stack.ts";

/** Clients for the account and region of a Kelvin stack. */
export interface AccountClients {
  readonly cloudFormation: CloudFormationClient;
  readonly stepFunctions: SFNClient;
  readonly s3: S3Client;
  readonly iam: IAMClient;
  readonly ssm: SSMClient;
  readonly sts: STSClient;
  /** Returns S3's client for a role or, as the CDK does, for the caller if the role cannot be assumed. */
  readonly s3As: (role: string) => S3Client;
}

/**
 * Returns clients for the account and region that the CDK would deploy to.
 * @param profile Default: AWS_PROFILE.
 */
export async function accountClients(profile?: string): Promise<AccountClients> {
  const access = await accountAccess({ profile });
  const { region } = access;
  const assume = getDefaultRoleAssumer({ region });
  const assumed = async (RoleArn: string) => {
    const own = await access.credentials();
    return await assume(own, { RoleArn, RoleSessionName: "kelvin" }).catch(() => own);
  };
  return {
    sts: new STSClient({ ...access }),
    ssm: new SSMClient({ ...access }),
    s3As: (role) => new S3Client({ region, credentials: () => assumed(role) }),
    cloudFormation: new CloudFormationClient({ ...access }),
    stepFunctions: new SFNClient({ ...access }),
    s3: new S3Client({ ...access, followRegionRedirects: true }),
    iam: new IAMClient({ ...access }),
  };
}

/** Facts about a deployed stack, read from its outputs. */
export interface DeployedStack {
  readonly name: string;
  readonly region: string;
  readonly stateMachineArn: string;
  readonly bucket: string;
  /** The command that deletes results which outlive the stack. Absent if they are deleted with it. */
  readonly deleteResults?: string;
  /** Role ARN by name of a user's function. Absent if the stack has only Kelvin's. */
  readonly functionRoles?: Readonly<Record<string, string>>;
}

/** Returns a command on a stack, for a shell in any region. */
export function commandOn(
  command: "run" | "destroy",
  stack: { readonly name: string; readonly region: string; readonly qualifier?: string },
): string {
  const { name, region, qualifier = usualQualifier } = stack;
  const named = name === usualStackName ? "" : ` --stack ${name}`;
  const found = qualifier === usualQualifier ? "" : ` --qualifier ${qualifier}`;
  return `AWS_REGION=${region} kelvin ${command}${named}${found}`;
}

/** Returns the names of the stacks there that begin as Kelvin's do. */
export async function listStacks(client: CloudFormationClient): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { StackSummaries = [] } of paginateListStacks({ client }, {})) {
    const there = StackSummaries.filter(({ StackStatus }) => StackStatus !== "DELETE_COMPLETE");
    names.push(...there.map(({ StackName = "" }) => StackName));
  }
  return names.filter((name) => name.startsWith(usualStackName));
}

/** Returns the stack, or undefined if there is none or its first deploy did not finish. */
export async function findStack(
  client: CloudFormationClient,
  name: string,
): Promise<DeployedStack | undefined> {
  const stack = await describeStack(client, name).catch((error: unknown) => {
    throw cloudFormationProblem(error);
  });
  if (stack === undefined) return undefined;
  // The output is the console URL of the state machine, which ends with its ARN.
  const stateMachineArn = /\/view\/(arn:\S+)$/.exec(outputOf(stack, "StateMachine") ?? "")?.[1];
  const bucket = outputOf(stack, "ResultsBucket");
  if (stateMachineArn === undefined || bucket === undefined) return undefined;
  const deleteResults = outputOf(stack, "DeleteResults");
  const region = await client.config.region();
  const roles = outputOf(stack, "FunctionRoles");
  const functionRoles = roles === undefined ? undefined : JSON.parse(roles);
  return { name, region, stateMachineArn, bucket, ...defined({ deleteResults, functionRoles }) };
}

/** Reads what is deployed from the definition of the state machine, whose first state gets it. */
export async function readDeployment(
  client: SFNClient,
  { stateMachineArn }: Pick<DeployedStack, "stateMachineArn">,
): Promise<Deployment> {
  const machine = await client.send(new DescribeStateMachineCommand({ stateMachineArn }));
  return JSON.parse(machine.definition ?? "").States.Plan.Arguments.Payload.deployment;
}

function outputOf({ Outputs = [] }: Stack, key: string): string | undefined {
  return Outputs.find(({ OutputKey }) => OutputKey === key)?.OutputValue;
}

/** Like findStack, but throws InvalidInput if there is no such stack. */
export async function requireStack(
  client: CloudFormationClient,
  name: string,
): Promise<DeployedStack> {
  const stack = await findStack(client, name);
  if (stack !== undefined) return stack;
  const region = await client.config.region();
  const allowed = "a stack that `kelvin deploy` has created in the account of your credentials";
  throw new InvalidInput(`the stack ${name} in ${region}`, undefined, allowed);
}
