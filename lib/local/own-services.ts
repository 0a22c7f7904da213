import { dirname } from "node:path";
import { describeError, InvalidInput } from "../contract/errors.ts";
import type { EmulatedData } from "../contract/types/contract.ts";
import type { ServiceName } from "../toolchain/build-local.ts";
import { createBucket, createTable, type EmulatedService } from "./emulated-services.ts";
import { writeTrustStores } from "./local-functions.ts";

/** Emulated services with a user's tables and buckets, and the variables by which SDKs find them. */
interface OwnServices {
  readonly variables: Readonly<Record<string, string>>;
  /** Transport to the services; absent if none was asked for. */
  readonly transport?: string;
  stop(): Promise<void>;
}

/** The services that functions of a user's own are to find: each that something was said of. */
export function listOwnServices({ tables, buckets }: EmulatedData = {}): readonly ServiceName[] {
  return [
    ...(tables === undefined ? [] : (["dynamodb"] as const)),
    ...(buckets === undefined ? [] : (["s3"] as const)),
  ];
}

/** Starts them, with what the user has in them. Throws InvalidInput for a table or bucket that the service refuses. */
export async function startOwnServices(
  data: EmulatedData | undefined,
  start: (service: ServiceName) => Promise<EmulatedService>,
): Promise<OwnServices> {
  const started: EmulatedService[] = [];
  const stop = async () => void (await Promise.all(started.map((service) => service.stop())));
  const variables: Record<string, string> = {};
  try {
    for (const name of listOwnServices(data)) {
      const service = await start(name);
      started.push(service);
      variables[`AWS_ENDPOINT_URL_${name.toUpperCase()}`] = service.endpoint;
      Object.assign(variables, trustVariables(service));
      if (name === "s3")
        for (const bucket of data?.buckets ?? [])
          await accepted("bucket", bucket, createBucket(service, bucket));
      else
        for (const table of data?.tables ?? [])
          await accepted("table", table, createTable(service, table));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const [first] = started;
  return { variables, ...(first !== undefined && { transport: first.transport }), stop };
}

/** Throws InvalidInput with the service's own words if it refuses what the user asked for. */
async function accepted(field: string, asked: unknown, made: Promise<void>): Promise<void> {
  await made.catch((error: unknown) => {
    throw new InvalidInput(
      field,
      asked,
      `one that the service accepts (${describeError(error).message})`,
    );
  });
}

/** Names the root certificate as each language's SDK reads it: all services share one root. */
function trustVariables({ rootCertificate }: EmulatedService): Readonly<Record<string, string>> {
  if (rootCertificate === undefined) return {};
  const { native } = writeTrustStores(rootCertificate, dirname(rootCertificate));
  return {
    SSL_CERT_FILE: native,
    AWS_CA_BUNDLE: native,
    NODE_EXTRA_CA_CERTS: rootCertificate,
  };
}
