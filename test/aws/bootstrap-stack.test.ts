import type { CloudFormationClient, Stack } from "@aws-sdk/client-cloudformation";
import { describe, expect, it, vi } from "vitest";
import { deploy } from "../../bin/commands/deploy.ts";
import { requireBootstrap } from "../../lib/aws/bootstrap-stack.ts";

/** CloudFormation, which answers or throws, and is asked for one stack. */
function cloudFormation(answer: Partial<Stack> | Error) {
  const asked: unknown[] = [];
  const send = async ({ input }: { input: unknown }) => {
    asked.push(input);
    if (answer instanceof Error) throw answer;
    return { Stacks: [answer] };
  };
  const client = { send, config: { region: async () => "eu-west-1" } };
  return { client: client as unknown as CloudFormationClient, asked };
}

function awsError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

const version = (OutputValue: string) => [{ OutputKey: "BootstrapVersion", OutputValue }];
const bootstrapped = { StackStatus: "CREATE_COMPLETE" as const, Outputs: version("31") };

describe("the check of the bootstrap", () => {
  it("says nothing where the stack is there, of the name that was asked for", async () => {
    const { client, asked } = cloudFormation(bootstrapped);
    expect(await requireBootstrap(client)).toBeUndefined();
    expect(await requireBootstrap(client, "Toolkit")).toBeUndefined();
    expect(asked).toEqual([{ StackName: "CDKToolkit" }, { StackName: "Toolkit" }]);
  });

  it("says what to run where there is none", async () => {
    const { client } = cloudFormation(
      awsError("ValidationError", "Stack with id CDKToolkit does not exist"),
    );
    await expect(requireBootstrap(client)).rejects.toThrow(
      "the stack CDKToolkit in eu-west-1: found nothing; allowed: the stack that `npx cdk bootstrap aws://ACCOUNT/eu-west-1` creates",
    );
  });

  it.each([
    [{ StackStatus: "ROLLBACK_COMPLETE" as const }, "ROLLBACK_COMPLETE"],
    [{ StackStatus: "DELETE_FAILED" as const }, "DELETE_FAILED"],
    [{ ...bootstrapped, Outputs: version("5") }, "version 5; 6 is required"],
    [{ StackStatus: "CREATE_COMPLETE" as const }, "version unknown; 6 is required"],
  ])("refuses one that takes no assets: %j", async (stack, found) => {
    await expect(requireBootstrap(cloudFormation(stack).client)).rejects.toThrow(found);
  });

  it("takes one whose update was rolled back, or goes on", async () => {
    for (const StackStatus of [
      "UPDATE_ROLLBACK_COMPLETE",
      "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS",
    ] as const) {
      const { client } = cloudFormation({ ...bootstrapped, StackStatus });
      expect(await requireBootstrap(client)).toBeUndefined();
    }
  });

  it("goes on where the caller may not look, and says so", async () => {
    const denied = awsError("AccessDenied", "User is not authorized to perform: cloudformation:D");
    expect(await requireBootstrap(cloudFormation(denied).client)).toContain("Could not check");
  });

  it.each([
    [
      "CredentialsProviderError",
      "Could not load credentials",
      "no AWS credentials: Could not load credentials; set AWS_PROFILE",
    ],
    ["ExpiredToken", "The security token included in the request is expired", "sign in again"],
    ["InvalidClientTokenId", "The security token is invalid", "AWS refused the credentials"],
  ])("names credentials that AWS cannot take: %s", async (name, message, said) => {
    const { client } = cloudFormation(awsError(name, message));
    await expect(requireBootstrap(client)).rejects.toThrow(said);
  });

  it("ends a deploy before the CDK is started", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", undefined);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", undefined);
    vi.stubEnv("AWS_CONFIG_FILE", "/nowhere");
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere");
    vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
    await expect(deploy(["-c", "preset=quick"])).rejects.toThrow(
      "no AWS credentials: Could not load credentials from any providers; set AWS_PROFILE",
    );
  });
});
