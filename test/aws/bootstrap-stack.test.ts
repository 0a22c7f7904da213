import { beforeEach, describe, expect, it, vi } from "vitest";
import { deploy } from "../../bin/commands/deploy.ts";
import { findBootstrap, NotBootstrapped } from "../../lib/aws/bootstrap-stack.ts";
import { type FakeAccount, fakeAccount } from "../support/fake-aws/fake-account.ts";

let account: FakeAccount;
let said: string[];
beforeEach(() => {
  [account, said] = [fakeAccount(), []];
});

const found = (given?: string) =>
  findBootstrap(account.clients, given, (line) => void said.push(line));

/** The account's bootstraps: qualifiers with their versions. */
function bootstrappedAs(versions: Readonly<Record<string, string>>): void {
  account.ssm.versions.clear();
  for (const [qualifier, version] of Object.entries(versions))
    account.ssm.versions.set(qualifier, version);
}

describe("the search for the bootstrap", () => {
  it("says nothing if the usual one is there, or the one that is asked for", async () => {
    bootstrappedAs({ hnb659fds: "31", acme: "6" });
    const place = { account: "123456789012", partition: "aws", region: "us-east-1" };
    expect(await found()).toEqual({ ...place, qualifier: "hnb659fds" });
    expect(await found("acme")).toEqual({ ...place, qualifier: "acme" });
    expect(said).toEqual([]);
  });

  it("takes the only other one, whatever its qualifier", async () => {
    bootstrappedAs({ acme: "21" });
    expect(await found()).toMatchObject({ qualifier: "acme" });
  });

  it("names those that are there if the one asked for is not, or if there are several", async () => {
    bootstrappedAs({ acme: "21" });
    await expect(found("acne")).rejects.toThrow(
      "the CDK's bootstrap acne in us-east-1: found nothing; allowed: --qualifier acme",
    );
    const many = Array.from({ length: 12 }, (_, index) => [`team${index}`, "21"]);
    bootstrappedAs(Object.fromEntries(many));
    const refused = await found().catch((error: Error) => error);
    expect(refused).not.toBeInstanceOf(NotBootstrapped);
    expect((refused as Error).message).toMatch(/: --qualifier team0, or .* --qualifier team11$/);
  });

  it("says what to run, with the account, if there is none at all", async () => {
    bootstrappedAs({});
    const refused = await found().catch((error: Error) => error);
    expect(refused).toBeInstanceOf(NotBootstrapped);
    expect((refused as Error).message).toContain(
      "`npx cdk bootstrap aws://123456789012/us-east-1` creates",
    );
  });

  it("refuses one that is too old for the CDK", async () => {
    bootstrappedAs({ hnb659fds: "5" });
    await expect(found()).rejects.toThrow('found "version 5"; allowed: version 6 or later');
  });

  it("goes on if the caller may not look, and says so", async () => {
    account.ssm.denied.add("GetParameter");
    expect(await found("acme")).toMatchObject({ qualifier: "acme" });
    expect(said).toEqual([expect.stringContaining("not authorized to perform: ssm:GetParameter")]);
  });

  it("never says that there is none if the caller may not list them", async () => {
    bootstrappedAs({ acme: "21" });
    account.ssm.denied.add("GetParametersByPath");
    const refused = await found().catch((error: Error) => error);
    expect(refused).not.toBeInstanceOf(NotBootstrapped);
    expect((refused as Error).message).toMatch(
      /^the CDK's usual bootstrap: found nothing; allowed: --qualifier .*ssm:GetParametersByPath/,
    );
  });

  it.each([
    [
      "CredentialsProviderError",
      "Could not load credentials",
      "no AWS credentials: Could not load credentials; set AWS_PROFILE",
    ],
    ["ExpiredToken", "The security token included in the request is expired", "sign in again"],
    ["InvalidClientTokenId", "The security token is invalid", "AWS refused the credentials"],
    ["UnrecognizedClientException", "The security token is invalid", "AWS refused the credentials"],
  ])("names credentials that AWS cannot take: %s", async (name, message, told) => {
    const error = Object.assign(new Error(message), { name });
    vi.spyOn(account.clients.sts, "send").mockImplementation(async () => {
      throw error;
    });
    await expect(found()).rejects.toThrow(told);
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
