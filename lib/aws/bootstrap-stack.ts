import {
  type CloudFormationClient,
  DescribeStacksCommand,
  type Stack,
} from "@aws-sdk/client-cloudformation";
import { describeError, InvalidInput } from "../contract/errors.ts";
import { credentialsProblem } from "./credentials-problem.ts";

/** The default name of the stack that `cdk bootstrap` creates; `--toolkit-stack-name` overrides it. */
const bootstrapStackName = "CDKToolkit";

/**
 * The minimum version that aws-cdk-lib's templates require.
 * https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html
 */
const oldestVersion = 6;

/**
 * Throws InvalidInput if the account and region are not bootstrapped for the CDK. If the caller may not read the
 * stack, returns a sentence that says so instead. Returns undefined if all is well.
 */
export async function requireBootstrap(
  client: CloudFormationClient,
  stackName: string = bootstrapStackName,
): Promise<string | undefined> {
  let stack: Stack | undefined;
  try {
    stack = await describeStack(client, stackName);
  } catch (error) {
    if (isAccessDenied(error)) {
      return `Could not check whether ${stackName} exists: ${describeError(error).message}`;
    }
    throw cloudFormationProblem(error);
  }
  const region = await client.config.region();
  const found = stack === undefined ? undefined : unusable(stack);
  if (stack !== undefined && found === undefined) return undefined;
  throw new InvalidInput(
    `the stack ${stackName} in ${region}`,
    found,
    `the stack that \`npx cdk bootstrap aws://ACCOUNT/${region}\` creates once per account and region`,
  );
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
    return Stacks[0];
  } catch (error) {
    const { name: type, message } = error as Error;
    if (type === "ValidationError" && message.includes("does not exist")) return undefined;
    throw error;
  }
}

export function isAccessDenied(error: unknown): boolean {
  return /^AccessDenied/.test((error as Error).name);
}

/** Returns why assets cannot be uploaded through the stack, or undefined if they can. */
function unusable({ StackStatus, Outputs = [] }: Stack): string | undefined {
  // A rolled-back update leaves the previous version, which can be used.
  if (!/^(CREATE|UPDATE|UPDATE_ROLLBACK|IMPORT)_COMPLETE/.test(StackStatus ?? ""))
    return StackStatus;
  const version = Outputs.find(({ OutputKey }) => OutputKey === "BootstrapVersion")?.OutputValue;
  if (Number(version ?? 0) >= oldestVersion) return undefined;
  return `version ${version ?? "unknown"}; ${oldestVersion} is required`;
}

/** Returns an error that explains why a CloudFormation request failed and what to do about it. */
export function cloudFormationProblem(error: unknown): unknown {
  return credentialsProblem(error, "CloudFormation") ?? error;
}
