import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type EnvironmentNetwork, machineNetwork } from "./environment-network.ts";

/** Answers for every service of AWS that is not emulated here, with an error, and knows what was called. */
export interface AbsentServices {
  /** Value for AWS_ENDPOINT_URL, which the SDKs use for every service that has no endpoint of its own. */
  readonly endpoint: string;
  /**
   * The calls since it was last asked, each once: `sns.Publish`, `sqs POST /`, `the host example.com`, and
   * `an IP address of another machine`, of which the kernel tells no more.
   */
  takeCalls(): readonly string[];
  /** Counts a host that a function asked for by its name, and that leads nowhere, among the calls. */
  addHost(name: string): void;
  stop(): Promise<void>;
}

/** Starts it on the network's loopback. */
export async function startAbsentServices(
  network: Pick<EnvironmentNetwork, "listen" | "unreachableCount"> = machineNetwork,
): Promise<AbsentServices> {
  const calls = new Set<string>();
  const server = createServer((request, response) => {
    const answer = (body: string) => {
      const call = nameCall(request, body);
      calls.add(call);
      const message = `${call} is not there on this machine`;
      const text = JSON.stringify({ __type: errorType, message });
      // No status that a client tries again.
      response.writeHead(400, {
        "content-type": "application/x-amz-json-1.0",
        "x-amzn-errortype": errorType,
      });
      response.end(text);
    };
    // A function that ends in the middle of a request waits for no answer.
    void readText(request).then(answer, () => {});
  });
  await network.listen(server);
  let unreachable = network.unreachableCount();
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeCalls: () => {
      const count = network.unreachableCount();
      const taken = [
        ...calls,
        ...(count > unreachable ? ["an IP address of another machine"] : []),
      ];
      unreachable = count;
      calls.clear();
      return taken;
    },
    addHost: (name) => void calls.add(`the host ${name}`),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const errorType = "ServiceNotOnThisMachine";

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * The service by the scope of the request's signature, and the operation as its protocol has it: a header
 * in AWS's JSON, a field in its Query protocol, method and path in REST.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html
 */
function nameCall({ headers, method, url = "/" }: IncomingMessage, body: string): string {
  const [, signed] =
    /Credential=[^/]+\/\d{8}\/[^/]+\/([\w-]+)\/aws4_request/.exec(headers.authorization ?? "") ??
    [];
  const target = headers["x-amz-target"];
  const [, prefix, named] =
    /^([\w.]+)\.(\w+)$/.exec(typeof target === "string" ? target : "") ?? [];
  const service = signed ?? prefix ?? "an unsigned request";
  const asked = named ?? /(?:^|&)Action=(\w+)/.exec(body)?.[1];
  const [path = "/"] = url.split("?");
  return asked === undefined ? `${service} ${method} ${path}` : `${service}.${asked}`;
}
