import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { describeError, InvalidInput } from "../contract/errors.ts";
import type { EmulatedData } from "../contract/types/contract.ts";
import type { ServiceName } from "../toolchain/build-local.ts";
import {
  createBucket,
  createTable,
  type EmulatedService,
  writeItems,
  writeObjects,
} from "./emulated-services.ts";
import { writeTrustStores } from "./local-functions.ts";
import { newScratchFolder } from "./scratch-folder.ts";

/** OwnServices are emulated services with a user's tables and buckets, and the variables by which SDKs find them. */
interface OwnServices {
  readonly variables: Readonly<Record<string, string>>;
  /** Transport to the services; absent if none was requested. */
  readonly transport?: string;
  stop(): Promise<void>;
}

/** Returns the services for which the user declared tables or buckets. */
export function listOwnServices({ tables, buckets }: EmulatedData = {}): readonly ServiceName[] {
  return [
    ...(tables === undefined ? [] : (["dynamodb"] as const)),
    ...(buckets === undefined ? [] : (["s3"] as const)),
  ];
}

/** Starts the services with the user's data. Throws InvalidInput for a table or bucket that the service rejects. */
export async function startOwnServices(
  data: EmulatedData | undefined,
  start: (service: ServiceName, args: readonly string[]) => Promise<EmulatedService>,
): Promise<OwnServices> {
  const started: EmulatedService[] = [];
  const folder = newScratchFolder("buckets");
  const stop = async () => {
    await Promise.all(started.map((service) => service.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  const variables: Record<string, string> = {};
  try {
    for (const name of listOwnServices(data)) {
      const service = await start(name, name === "s3" ? ["--store", folder] : []);
      started.push(service);
      // With an IP address as endpoint, SDKs put the bucket into the path instead of the host name, for which there
      // is no certificate: https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
      const endpoint = service.endpoint.replace("//localhost:", "//127.0.0.1:");
      variables[`AWS_ENDPOINT_URL_${name.toUpperCase()}`] = endpoint;
      Object.assign(variables, trustVariables(service));
      await (name === "s3" ? fillBuckets(service, data) : fillTables(service, data));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const [first] = started;
  return { variables, ...(first !== undefined && { transport: first.transport }), stop };
}

async function fillTables(service: EmulatedService, data: EmulatedData = {}): Promise<void> {
  for (const table of data.tables ?? []) {
    await accepted("table", table, createTable(service, table));
  }
  for (const [table, requests] of Object.entries(data.items ?? {})) {
    await accepted("items", table, writeItems(service, table, requests));
  }
}

async function fillBuckets(service: EmulatedService, data: EmulatedData = {}): Promise<void> {
  for (const bucket of data.buckets ?? []) {
    await accepted("bucket", bucket, createBucket(service, bucket));
  }
  for (const [bucket, folder] of Object.entries(data.folders ?? {})) {
    await accepted("bucket", bucket, writeObjects(service, bucket, folder));
  }
}

/** Throws InvalidInput with the service's own message if it rejects the user's input. */
async function accepted(field: string, asked: unknown, made: Promise<void>): Promise<void> {
  await made.catch((error: unknown) => {
    throw new InvalidInput(
      field,
      asked,
      `one that the service accepts (${describeError(error).message})`,
    );
  });
}

/** Returns the variables that make each language's SDK trust the root certificate, which all services share. */
function trustVariables({ rootCertificate }: EmulatedService): Readonly<Record<string, string>> {
  if (rootCertificate === undefined) return {};
  const { native } = writeTrustStores(rootCertificate, dirname(rootCertificate));
  return {
    SSL_CERT_FILE: native,
    AWS_CA_BUNDLE: native,
    NODE_EXTRA_CA_CERTS: rootCertificate,
  };
}
