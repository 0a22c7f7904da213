import { createInterface } from "node:readline/promises";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { fromIni } from "@aws-sdk/credential-provider-ini";
import { defaultProvider } from "@aws-sdk/credential-provider-node";
import { loadSharedConfigFiles } from "@smithy/core/config";
import { credentialsProblem } from "./credentials-problem.ts";

type CredentialsProvider = () => ReturnType<ReturnType<typeof defaultProvider>>;

/** The credentials and region for every client of the command line. */
export interface AccountAccess {
  readonly region: string;
  /** Sources: environment, profile (MFA roles, SSO, login_session, credential_process), container, instance. */
  readonly credentials: CredentialsProvider;
}

interface AccessOptions {
  /** @default the profile that AWS_PROFILE or AWS_DEFAULT_PROFILE names */
  readonly profile?: string | undefined;
  /** @default the region that the CDK would choose */
  readonly region?: string | undefined;
}

/** Resolves credentials and region as the CDK does, so that both use the same account. */
export async function accountAccess({
  profile,
  region,
}: AccessOptions = {}): Promise<AccountAccess> {
  return { region: region ?? (await cdkRegion(profile)), credentials: callerCredentials(profile) };
}

const providers = new Map<string, CredentialsProvider>();
let hasAskedForCode = false;

/** Cached per source, so that an MFA code is typed once per command. */
export function callerCredentials(given?: string): CredentialsProvider {
  const profile = given ?? namedProfile();
  const { AWS_ACCESS_KEY_ID, AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE } = process.env;
  const sources = [profile, AWS_ACCESS_KEY_ID, AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE];
  const key = JSON.stringify(sources);
  const provider = providers.get(key) ?? makeProvider(profile);
  providers.set(key, provider);
  return provider;
}

/** `fromIni` reports why a profile gives no credentials. The chain of all sources reports only that none did. */
function makeProvider(profile: string | undefined): CredentialsProvider {
  const options = { mfaCodeProvider: askForCode, ignoreCache: true };
  if (profile !== undefined) return keepUntilExpired(fromIni({ ...options, profile }));
  const anySource = defaultProvider(options);
  return async () => {
    try {
      return await anySource();
    } catch (error) {
      const { credentialsFile, configFile } = await loadSharedConfigFiles({ ignoreCache: true });
      if ((credentialsFile.default ?? configFile.default) === undefined) throw error;
      return await fromIni({ ...options, profile: "default" })();
    }
  };
}

/** Credentials are renewed this long before they expire, as the SDK's own providers do. */
const renewalMs = 300_000;

function keepUntilExpired(provider: CredentialsProvider): CredentialsProvider {
  let last: ReturnType<CredentialsProvider> | undefined;
  return async () => {
    const expiration = await last?.then(({ expiration: at }) => at).catch(() => new Date(0));
    const isOld = expiration !== undefined && expiration.getTime() - Date.now() < renewalMs;
    if (last === undefined || isOld) last = provider();
    return await last;
  };
}

/** Returns whether a code was typed for these credentials. If so, the CDK's command would ask for another one. */
export function needsCode(): boolean {
  return hasAskedForCode;
}

/** Returns the named profile, if any. The CDK reads AWS_DEFAULT_PROFILE too. */
function namedProfile(): string | undefined {
  return nonEmpty(process.env.AWS_PROFILE) ?? nonEmpty(process.env.AWS_DEFAULT_PROFILE);
}

/** Asks in the terminal for the code of an MFA device. Throws if there is no terminal. */
async function askForCode(serial: string): Promise<string> {
  if (process.stdin.isTTY !== true) {
    const remedy = "start this in a terminal, or sign in before and set AWS_PROFILE";
    throw new Error(
      `the profile asks for the code of ${serial}, and nobody can be asked: ${remedy}`,
    );
  }
  hasAskedForCode = true;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(`MFA code of ${serial}: `)).trim();
  } finally {
    terminal.close();
  }
}

/**
 * Returns the region that the CDK would deploy to. The first of these that is set: the environment's, the profile's,
 * that of `[default]`, the instance's, us-east-1. ~/.aws/credentials comes before ~/.aws/config.
 * https://docs.aws.amazon.com/cdk/v2/guide/configure-env.html
 */
async function cdkRegion(profile: string | undefined): Promise<string> {
  const { AWS_REGION, AMAZON_REGION, AWS_DEFAULT_REGION, AMAZON_DEFAULT_REGION } = process.env;
  const given = [AWS_REGION, AMAZON_REGION, AWS_DEFAULT_REGION, AMAZON_DEFAULT_REGION];
  const ofEnvironment = given.find((region) => nonEmpty(region) !== undefined);
  if (ofEnvironment !== undefined) return ofEnvironment;
  const { credentialsFile, configFile } = await loadSharedConfigFiles({ ignoreCache: true });
  for (const name of [profile ?? namedProfile() ?? "default", "default"]) {
    const region = credentialsFile[name]?.region ?? configFile[name]?.region;
    if (region !== undefined) return region;
  }
  return (await instanceRegion()) ?? "us-east-1";
}

/** Timeout of the metadata request: it gets no answer outside EC2. */
const metadataTimeoutMs = 1000;

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-identity-documents.html */
async function instanceRegion(): Promise<string | undefined> {
  const { AWS_EC2_METADATA_DISABLED, AWS_EC2_METADATA_SERVICE_ENDPOINT } = process.env;
  if (AWS_EC2_METADATA_DISABLED === "true") return undefined;
  const service = nonEmpty(AWS_EC2_METADATA_SERVICE_ENDPOINT) ?? "http://169.254.169.254";
  const signal = AbortSignal.timeout(metadataTimeoutMs);
  const ask = async (path: string, init: RequestInit) => {
    const response = await fetch(new URL(path, service), { ...init, signal });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return await response.text();
  };
  try {
    const lifetime = { "x-aws-ec2-metadata-token-ttl-seconds": "60" };
    const token = await ask("/latest/api/token", { method: "PUT", headers: lifetime });
    const headers = { "x-aws-ec2-metadata-token": token };
    return nonEmpty(await ask("/latest/meta-data/placement/region", { headers }));
  } catch {
    return undefined;
  }
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

/**
 * Returns where the credentials act. The call requires no permission. Throws InvalidInput if there are no credentials.
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
 */
export async function callerPlace(client: STSClient) {
  const identity = await client.send(new GetCallerIdentityCommand({})).catch((error: unknown) => {
    throw credentialsProblem(error, "AWS STS") ?? error;
  });
  const { Account: account = "unknown", Arn = "" } = identity;
  return { account, partition: Arn.split(":")[1] ?? "aws", region: await client.config.region() };
}

/** Returns the account and region in one line, so that a user can stop a command meant for another account. */
export async function describeAccount(access: AccountAccess): Promise<string> {
  const client = new STSClient({ ...access });
  try {
    const { account, region } = await callerPlace(client);
    return `account ${account}, region ${region}`;
  } finally {
    client.destroy();
  }
}
