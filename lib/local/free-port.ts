import { createServer } from "node:net";

/** Returns a free port on loopback. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address === "object" && address !== null) return address.port;
  throw new Error("found no free port on loopback");
}
