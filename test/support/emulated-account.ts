/** An AWS account in an emulator on this machine. */
export interface EmulatedAccount {
  readonly region: string;
  /** Environment variables for the CDK CLI and Kelvin's commands. */
  readonly environment: Readonly<Record<string, string>>;
  /** Configuration for the test's SDK clients. */
  readonly client: {
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
    readonly forcePathStyle: true;
  };
}

interface AccountAddress {
  /** Endpoint for the test. */
  readonly endpoint: string;
  /** Endpoint for the commands. */
  readonly commandEndpoint: string;
  readonly accessKeyId: string;
  /** Folder for the files that the CDK CLI keeps between commands. */
  readonly folder: string;
}

const region = "us-east-1";
const secretAccessKey = "emulated";

/** Returns the account's settings in another region. */
export function inRegion(account: EmulatedAccount, other: string): EmulatedAccount {
  const environment = { ...account.environment, AWS_REGION: other, AWS_DEFAULT_REGION: other };
  return { region: other, environment, client: { ...account.client, region: other } };
}

/** Returns the account's settings, without the caller's profile, keys or endpoints. */
export function emulatedAccount(address: AccountAddress): EmulatedAccount {
  const { endpoint, commandEndpoint, accessKeyId, folder } = address;
  return {
    region,
    environment: {
      AWS_ENDPOINT_URL: commandEndpoint,
      AWS_ENDPOINT_URL_S3: commandEndpoint,
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_CONFIG_FILE: "/dev/null",
      AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
      AWS_EC2_METADATA_DISABLED: "true",
      CDK_HOME: folder,
      CDK_DISABLE_VERSION_CHECK: "1",
      CDK_DISABLE_CLI_TELEMETRY: "true",
    },
    client: {
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: true,
    },
  };
}
