import {
  CloudFormationClient,
  paginateDescribeStacks,
  type Stack,
} from "@aws-sdk/client-cloudformation";
import { CloudWatchLogsClient, paginateDescribeLogGroups } from "@aws-sdk/client-cloudwatch-logs";
import { DynamoDBClient, paginateListTables } from "@aws-sdk/client-dynamodb";
import { IAMClient, paginateListPolicies, paginateListRoles } from "@aws-sdk/client-iam";
import {
  LambdaClient,
  paginateListFunctions,
  paginateListVersionsByFunction,
} from "@aws-sdk/client-lambda";
import { ListBucketsCommand, ListObjectVersionsCommand, S3Client } from "@aws-sdk/client-s3";
import { paginateListStateMachines, SFNClient } from "@aws-sdk/client-sfn";
import type { EmulatedAccount } from "../../support/emulated-account.ts";

/** The names of what an account holds, service by service. */
export interface Inventory {
  readonly stacks: readonly string[];
  readonly functions: readonly string[];
  /** Function and version, $LATEST included. */
  readonly versions: readonly string[];
  readonly logGroups: readonly string[];
  readonly tables: readonly string[];
  readonly buckets: readonly string[];
  readonly roles: readonly string[];
  readonly policies: readonly string[];
  readonly stateMachines: readonly string[];
}

export async function inventory({ client }: EmulatedAccount): Promise<Inventory> {
  const iam = new IAMClient(client);
  const functions = await functionNames(client);
  return {
    functions,
    versions: await versionsOf(client, functions),
    stacks: await namesIn(
      paginateDescribeStacks({ client: new CloudFormationClient(client) }, {}),
      ({ Stacks }) => Stacks?.filter(isThere).map((stack) => stack.StackName),
    ),
    logGroups: await logGroupNames(client),
    tables: await namesIn(
      paginateListTables({ client: new DynamoDBClient(client) }, {}),
      ({ TableNames }) => TableNames,
    ),
    buckets: await bucketNames(client),
    roles: await namesIn(paginateListRoles({ client: iam }, {}), ({ Roles }) =>
      Roles?.map((role) => role.RoleName),
    ),
    policies: await namesIn(
      paginateListPolicies({ client: iam }, { Scope: "Local" }),
      ({ Policies }) => Policies?.map((policy) => policy.PolicyName),
    ),
    stateMachines: await namesIn(
      paginateListStateMachines({ client: new SFNClient(client) }, {}),
      (page) => page.stateMachines?.map((machine) => machine.name),
    ),
  };
}

/** LocalEmu lists destroyed stacks too. */
function isThere({ StackStatus }: Stack): boolean {
  return StackStatus !== "DELETE_COMPLETE";
}

type ClientConfig = EmulatedAccount["client"];

export async function logGroupNames(client: ClientConfig): Promise<readonly string[]> {
  return await namesIn(
    paginateDescribeLogGroups({ client: new CloudWatchLogsClient(client) }, {}),
    ({ logGroups }) => logGroups?.map((group) => group.logGroupName),
  );
}

export async function functionNames(client: ClientConfig): Promise<readonly string[]> {
  return await namesIn(
    paginateListFunctions({ client: new LambdaClient(client) }, {}),
    ({ Functions }) => Functions?.map((one) => one.FunctionName),
  );
}

async function versionsOf(
  client: ClientConfig,
  functions: readonly string[],
): Promise<readonly string[]> {
  const lambda = new LambdaClient(client);
  const versions = functions.map((FunctionName) =>
    namesIn(paginateListVersionsByFunction({ client: lambda }, { FunctionName }), (page) =>
      page.Versions?.map((version) => `${FunctionName}:${version.Version}`),
    ),
  );
  return (await Promise.all(versions)).flat();
}

async function bucketNames(client: ClientConfig): Promise<readonly string[]> {
  const { Buckets } = await new S3Client(client).send(new ListBucketsCommand({}));
  return (Buckets ?? []).map(({ Name }) => Name ?? "").sort();
}

/** The versions and delete markers of all objects, in all buckets. */
export async function objectVersions({ client }: EmulatedAccount): Promise<readonly string[]> {
  const s3 = new S3Client(client);
  const found = (await bucketNames(client)).map(async (Bucket) => {
    const listed = await s3.send(new ListObjectVersionsCommand({ Bucket }));
    const all = [...(listed.Versions ?? []), ...(listed.DeleteMarkers ?? [])];
    return all.map(({ Key, VersionId }) => `${Bucket}/${Key} ${VersionId}`);
  });
  return (await Promise.all(found)).flat();
}

async function namesIn<Page>(
  pages: AsyncIterable<Page>,
  namesOf: (page: Page) => readonly (string | undefined)[] | undefined,
): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const page of pages) {
    for (const name of namesOf(page) ?? []) if (name !== undefined) names.push(name);
  }
  return names.sort();
}
