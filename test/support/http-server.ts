import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";

/** Serves HTTP on loopback to the tests of a file; returns what gives the address of a path. */
export function servedHttp(listener: RequestListener): (path?: string) => string {
  const server = createServer(listener);
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => void server.close());
  return (path = "") => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
}
