/** An account of AWS that an emulator has on this machine. */
export interface EmulatedAccount {
  readonly region: string;
  /** What the CDK CLI and Kelvin's own commands are given to work in it. */
  readonly environment: Readonly<Record<string, string>>;
  /** What an SDK client of the test is given. */
  readonly client: {
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
    readonly forcePathStyle: true;
  };
}

export interface AccountAddress {
  /** Where the emulator answers the test. */
  readonly endpoint: string;
  /** Where it answers the commands. */
  readonly commandEndpoint: string;
  readonly accessKeyId: string;
  /** Takes what the CDK CLI keeps between commands. */
  readonly folder: string;
}

const region = "us-east-1";
const secretAccessKey = "emulated";

/** The account with nothing of the caller's own profile, keys or endpoints in it. */
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
