import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type FakeS3, s3Error } from "./fake-s3.ts";
import type { FakeRequest, FakeResponse } from "./http.ts";

export interface S3Server {
  /** Environment variables that make a process use this server as S3. */
  readonly environment: Readonly<Record<string, string>>;
  /** Paths of the objects that were requested. */
  readonly got: readonly string[];
  close(): Promise<void>;
}

interface S3ServerOptions {
  readonly bucket: string;
  /** Delays the sending of an object. */
  readonly beforeObject?: (objectsGot: number) => Promise<void>;
}

/** Serves the fake over HTTP on loopback, for processes: one bucket, and one named `denied` that denies reads. */
export async function serveS3(
  s3: FakeS3,
  { bucket, beforeObject = async () => {} }: S3ServerOptions,
): Promise<S3Server> {
  const got: string[] = [];
  const server = createServer(async (request, response) => {
    const [name, path] = addressOf(request);
    const body = await text(request);
    if (name === bucket && path !== "/") {
      got.push(path);
      await beforeObject(got.length);
    }
    const answer = name === bucket ? asked(s3, request, path, body) : refused(name);
    response.writeHead(answer.status, { ...answer.headers }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const environment = {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "fake",
    AWS_SECRET_ACCESS_KEY: "fake",
  };
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { environment, got, close };
}

/** Returns the bucket and the path in it: clients address an endpoint that is an IP address path-style. */
function addressOf({ url = "/" }: IncomingMessage): readonly [string, string] {
  const [, bucket = "", ...path] = new URL(url, "http://s3").pathname.split("/");
  return [bucket, `/${path.join("/")}`];
}

function refused(bucket: string): FakeResponse {
  return bucket === "denied"
    ? s3Error(403, "AccessDenied", bucket)
    : s3Error(404, "NoSuchBucket", bucket);
}

function asked(
  s3: FakeS3,
  { method = "GET", url = "/", headers }: IncomingMessage,
  path: string,
  body: string,
): FakeResponse {
  const { searchParams, hostname } = new URL(url, "http://s3");
  const query = Object.fromEntries(searchParams);
  return s3.respond({
    method,
    hostname,
    path,
    query,
    headers: headers as FakeRequest["headers"],
    body,
  });
}
