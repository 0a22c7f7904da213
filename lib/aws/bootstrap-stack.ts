import {
  type CloudFormationClient,
  DescribeStacksCommand,
  type Stack,
} from "@aws-sdk/client-cloudformation";
import {
  GetParameterCommand,
  type Parameter,
  paginateGetParametersByPath,
  type SSMClient,
} from "@aws-sdk/client-ssm";
import type { STSClient } from "@aws-sdk/client-sts";
import { describeError, InvalidInput } from "../contract/errors.ts";
import { callerPlace } from "./account-access.ts";
import { credentialsProblem } from "./credentials-problem.ts";

/** https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-customizing.html */
export const usualQualifier = "hnb659fds";

/**
 * The minimum version that aws-cdk-lib's templates require.
 * https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html
 */
const oldestVersion = 6;

/** What `cdk bootstrap` created in an account and region. Its bucket and roles are named after the qualifier. */
type Bootstrap = Awaited<ReturnType<typeof callerPlace>> & { readonly qualifier: string };

/** A stack by its name, and the bootstrap that it is deployed with. */
export type StackPlace = Bootstrap & { readonly name: string };

/** Thrown if the account and region have no bootstrap of any qualifier. */
export class NotBootstrapped extends InvalidInput {}

/**
 * Finds the CDK's bootstrap by its qualifier: without one, the usual bootstrap or else the only one. Says so if the
 * caller may not look. Throws InvalidInput if none can be used.
 */
export async function findBootstrap(
  { ssm, sts }: { readonly ssm: SSMClient; readonly sts: STSClient },
  given: string | undefined,
  say: (line: string) => void,
): Promise<Bootstrap> {
  const qualifier = given ?? usualQualifier;
  try {
    const place = await callerPlace(sts);
    const own = await readVersion(ssm, qualifier).catch((error: unknown) => {
      if (!isAccessDenied(error)) throw error;
      say(`could not check the CDK's bootstrap: ${describeError(error).message}`);
      return oldestVersion;
    });
    const versions = own === undefined ? await readVersions(ssm) : new Map([[qualifier, own]]);
    const [found, version = 0] = [...versions][0] ?? [];
    const isChosen = own !== undefined || (given === undefined && versions.size === 1);
    if (found !== undefined && isChosen && version >= oldestVersion)
      return { ...place, qualifier: found };
    const field = `the CDK's bootstrap ${qualifier} in ${place.region}`;
    const creating = `\`npx cdk bootstrap aws://${place.account}/${place.region}\``;
    if (found === undefined)
      throw new NotBootstrapped(field, found, `what ${creating} creates once`);
    const others = [...versions.keys()].map((other) => `--qualifier ${other}`).join(", or ");
    if (!isChosen) throw new InvalidInput(field, undefined, others);
    const allowed = `version ${oldestVersion} or later: ${creating} updates it`;
    throw new InvalidInput(field, `version ${version}`, allowed);
  } catch (error) {
    throw credentialsProblem(error, "AWS Systems Manager") ?? error;
  }
}

/** Returns the version of the bootstrap with this qualifier, or undefined if there is none. */
async function readVersion(client: SSMClient, qualifier: string): Promise<number | undefined> {
  const asked = new GetParameterCommand({ Name: `/cdk-bootstrap/${qualifier}/version` });
  return await client.send(asked).then(
    ({ Parameter }) => Number(Parameter?.Value),
    (error: Error) => {
      if (error.name !== "ParameterNotFound") throw error;
      return undefined;
    },
  );
}

/**
 * Returns the versions of all bootstraps by their qualifiers. Throws InvalidInput if the caller may not list them.
 * https://docs.aws.amazon.com/systems-manager/latest/userguide/ps-retrieval-authorization.html
 */
async function readVersions(client: SSMClient): Promise<ReadonlyMap<string, number>> {
  const found: Parameter[] = [];
  const path = { Path: "/cdk-bootstrap", Recursive: true };
  try {
    for await (const { Parameters = [] } of paginateGetParametersByPath({ client }, path))
      found.push(...Parameters);
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    const allowed = `--qualifier with that of the account's bootstrap, if there is one: ${describeError(error).message}`;
    throw new InvalidInput("the CDK's usual bootstrap", undefined, allowed);
  }
  return new Map(found.map(({ Name, Value }) => [qualifierOf(Name), Number(Value)]));
}

/** Returns the qualifier in the name of the parameter by which a stack knows its bootstrap. */
function qualifierOf(parameter = ""): string {
  return /^\/cdk-bootstrap\/([^/]+)\/version$/.exec(parameter)?.[1] ?? usualQualifier;
}

/**
 * Returns the stack, or undefined if it does not exist, which CloudFormation reports as a ValidationError.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
 */
export async function describeStack(
  client: CloudFormationClient,
  name: string,
): Promise<Stack | undefined> {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
    // Emulators describe deleted stacks by name too.
    return Stacks.find(({ StackStatus }) => StackStatus !== "DELETE_COMPLETE");
  } catch (error) {
    const { name: type, message } = error as Error;
    if (type === "ValidationError" && message.includes("does not exist")) return undefined;
    throw error;
  }
}

/** Returns whether a stack exists, and the qualifier that it was deployed with; nothing if the caller may not look. */
export async function lookForStack(
  client: CloudFormationClient,
  name: string,
): Promise<{ readonly isThere?: boolean; readonly qualifier?: string }> {
  try {
    const stack = await describeStack(client, name);
    const parameter = stack?.Parameters?.find((each) => each.ParameterKey === "BootstrapVersion");
    return { isThere: stack !== undefined, qualifier: qualifierOf(parameter?.ParameterValue) };
  } catch (error) {
    if (isAccessDenied(error)) return {};
    throw cloudFormationProblem(error);
  }
}

export function isAccessDenied(error: unknown): boolean {
  return /^AccessDenied/.test((error as Error).name);
}

/** Returns an error that explains why a CloudFormation request failed and what to do about it. */
export function cloudFormationProblem(error: unknown): unknown {
  return credentialsProblem(error, "CloudFormation") ?? error;
}
