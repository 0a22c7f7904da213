import {
  type CloudFormationClient,
  paginateListStackResources,
} from "@aws-sdk/client-cloudformation";
import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetFunctionCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { describeError, InvalidInput } from "../contract/errors.ts";
import { forEachConcurrently } from "../sampler/result-store.ts";
import { isAccessDenied } from "./bootstrap-stack.ts";
import { deletedByHandText, type MissingResource } from "./deleted-by-hand.ts";

interface ResourceClients {
  readonly cloudFormation: CloudFormationClient;
  readonly lambda: LambdaClient;
  readonly dynamodb: DynamoDBClient;
}

/**
 * Throws InvalidInput, with the remedy, if functions or tables of the stack were deleted by hand. Returns a notice if
 * the caller may not look.
 */
export async function requireWholeStack(
  stackName: string,
  clients: ResourceClients,
): Promise<string | undefined> {
  try {
    const missing = await missingResources(clients, stackName);
    if (missing.length === 0) return undefined;
    const allowed = "a stack with all of its functions and tables";
    const message = `the stack ${stackName} is incomplete: ${deletedByHandText(missing)}`;
    throw new InvalidInput("the stack", stackName, allowed, message);
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    return `could not check what was deleted by hand: ${describeError(error).message}`;
  }
}

/** Returns clients for the region and credentials of another one. */
export function resourceClients(cloudFormation: CloudFormationClient): ResourceClients {
  const { region, credentials } = cloudFormation.config;
  const [lambda, dynamodb] = [
    new LambdaClient({ region, credentials }),
    new DynamoDBClient({ region, credentials }),
  ];
  return { cloudFormation, lambda, dynamodb };
}

/** Concurrent lookups. GetFunction may be called 100 times per second. */
const lanes = 8;

/**
 * Returns the functions and tables of a stack that were deleted by hand. CloudFormation does not detect this: it
 * treats a stack as unchanged if its template is.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackResources.html
 */
export async function missingResources(
  { cloudFormation, lambda, dynamodb }: ResourceClients,
  stackName: string,
): Promise<readonly MissingResource[]> {
  const resources = await listResources(cloudFormation, stackName);
  const missing: MissingResource[] = [];
  await forEachConcurrently(resources, lanes, async (resource) => {
    const { kind, name } = resource;
    const asked =
      kind === "function"
        ? lambda.send(new GetFunctionCommand({ FunctionName: name }))
        : dynamodb.send(new DescribeTableCommand({ TableName: name }));
    if (!(await isThere(asked))) missing.push(resource);
  });
  return missing.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the functions and tables of a stack. */
export async function listResources(
  client: CloudFormationClient,
  stackName: string,
): Promise<readonly MissingResource[]> {
  const resources: MissingResource[] = [];
  const pages = paginateListStackResources({ client }, { StackName: stackName });
  for await (const { StackResourceSummaries = [] } of pages) {
    for (const { ResourceType, PhysicalResourceId: name } of StackResourceSummaries) {
      const kind = kinds[ResourceType ?? ""];
      if (kind !== undefined && name !== undefined) resources.push({ kind, name });
    }
  }
  return resources;
}

const kinds: Readonly<Record<string, MissingResource["kind"]>> = {
  "AWS::Lambda::Function": "function",
  "AWS::DynamoDB::Table": "table",
};

/**
 * Returns false on ResourceNotFoundException, which both services answer for an absent resource.
 * https://docs.aws.amazon.com/lambda/latest/api/API_GetFunction.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTable.html
 */
async function isThere(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if ((error as Error).name === "ResourceNotFoundException") return false;
    throw error;
  }
}
