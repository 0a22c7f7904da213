import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../lib/local/free-port.ts";
import { javascriptSdkFolder } from "../../../lib/toolchain/javascript-sdk.ts";
import { projectPaths } from "../../../lib/toolchain/project-paths.ts";
import {
  type PythonVenv,
  preparePythonVenv,
  pythonPath,
  venvPython,
} from "../../../lib/toolchain/python.ts";
import { type EmulatedAccount, emulatedAccount } from "../emulated-account.ts";
import { EmulatorProcess } from "../emulator-process.ts";

const here = import.meta.dirname;

const venv: PythonVenv = {
  folder: join(projectPaths.root, ".venv-localemu"),
  locks: [join(here, "build-requirements.txt"), join(here, "requirements.txt")],
  fromSource: ["crontab"],
  ownPackage: here,
  isCompiledLater: true,
};

/** Services that the stack uses, and those that LocalEmu calls internally. */
const services = [
  ...["cloudformation", "cloudwatch", "dynamodb", "dynamodbstreams", "ecr", "events", "iam"],
  ...["lambda", "logs", "s3", "sqs", "ssm", "stepfunctions", "sts"],
];

/** Key from AWS's documentation; LocalEmu treats it as the account's root. */
const rootAccessKeyId = "AKIAIOSFODNN7EXAMPLE";

export interface LocalEmu {
  readonly account: EmulatedAccount;
  readonly process: EmulatorProcess;
  /** Folder that is removed by `stop`. */
  readonly folder: string;
  stop(): Promise<void>;
}

export async function prepareLocalEmu(): Promise<void> {
  await preparePythonVenv({}, venv);
}

/**
 * Starts LocalEmu on loopback with the plugin in this folder: functions are processes, and IAM policies are enforced,
 * including the bucket's policy that denies requests without TLS.
 */
export async function startLocalEmu(): Promise<LocalEmu> {
  await preparePythonVenv();
  await prepareLocalEmu();
  const folder = mkdtempSync(join(tmpdir(), "kelvin-localemu-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "tmp"));
  // Lambda's Node.js runtimes provide the SDK. ES modules ignore NODE_PATH, so it goes above the functions' code.
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(javascriptSdkFolder(), join(folder, "node_modules", "@aws-sdk"));
  const address = `127.0.0.1:${await freePort()}`;
  const certificate = join(folder, "localemu.pem");
  const emulator = await EmulatorProcess.start({
    command: pythonPath(venv),
    args: ["-m", "localemu.runtime.main"],
    environment: environmentOf(address, folder, certificate),
    folder,
    healthUrl: `http://${address}/_localemu/health`,
  }).catch((error: unknown) => {
    remove();
    throw error;
  });
  const account = emulatedAccount({
    endpoint: `http://${address}`,
    commandEndpoint: `https://${address}`,
    accessKeyId: rootAccessKeyId,
    folder,
  });
  // Node.js clients read the first variable, the CDK CLI the second.
  const trust = { NODE_EXTRA_CA_CERTS: certificate, AWS_CA_BUNDLE: certificate };
  const environment = { ...account.environment, ...trust };
  const stop = async () => {
    await emulator.stop();
    remove();
  };
  return { account: { ...account, environment }, process: emulator, folder, stop };
}

function environmentOf(
  address: string,
  folder: string,
  certificate: string,
): Readonly<Record<string, string>> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    TMPDIR: join(folder, "tmp"),
    FILESYSTEM_ROOT: folder,
    // Otherwise LocalEmu, if in a container, assumes its own image and writes to /var/lib.
    OVERRIDE_IN_DOCKER: "0",
    // LocalEmu's other server listens on every address.
    GATEWAY_SERVER: "hypercorn",
    GATEWAY_LISTEN: address,
    DNS_ADDRESS: "0",
    DISABLE_EVENTS: "1",
    SKIP_SSL_CERT_DOWNLOAD: "1",
    CUSTOM_SSL_CERT_PATH: certificate,
    SERVICES: services.join(","),
    IAM_ENFORCEMENT: "1",
    ROOT_ACCESS_KEYS: rootAccessKeyId,
    LAMBDA_RUNTIME_EXECUTOR: "kelvin",
    KELVIN_FUNCTION_PYTHON: venvPython,
    KELVIN_FUNCTION_NODE: process.execPath,
    KELVIN_NODE_CLIENT: join(projectPaths.node, "runtime.mjs"),
    KELVIN_NODE_PATH: join(projectPaths.root, "node_modules"),
  };
}
