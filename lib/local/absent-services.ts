import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type EnvironmentNetwork, machineNetwork } from "./environment-network.ts";

/** AbsentServices answers calls to AWS services that are not emulated here with an error, and records each call. */
export interface AbsentServices {
  /** Value for AWS_ENDPOINT_URL, which the SDKs use for services without an endpoint of their own. */
  readonly endpoint: string;
  /**
   * Returns the distinct calls since the last `takeCalls`: `sns.Publish`, `sqs POST /`, `s3.SelectObjectContent` of an
   * emulated service, `the host example.com`, or `an IP address of another machine`. The kernel counts the last kind but
   * does not report the address.
   */
  takeCalls(): readonly string[];
  /** Records a host name that a function looked up and that does not resolve here. */
  addHost(name: string): void;
  /** Records a call that an emulated service does not implement. */
  addCall(call: string): void;
  stop(): Promise<void>;
}

/** Starts the server on the network's loopback. */
export async function startAbsentServices(
  network: Pick<EnvironmentNetwork, "listen" | "unreachableCount"> = machineNetwork,
): Promise<AbsentServices> {
  const calls = new Set<string>();
  const server = createServer((request, response) => {
    const answer = (body: string) => {
      const call = nameCall(request, body);
      calls.add(call);
      const message = `${call} is not available on this machine`;
      const text = JSON.stringify({ __type: errorType, message });
      // Clients do not retry on 400.
      response.writeHead(400, {
        "content-type": "application/x-amz-json-1.0",
        "x-amzn-errortype": errorType,
      });
      response.end(text);
    };
    // The read fails if the function ends in the middle of a request; no answer is needed then.
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
    addCall: (call) => void calls.add(call),
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
 * Names the service, from the request signature's scope, and the operation, from where its protocol puts it: a header
 * in AWS JSON, a field in the Query protocol, method and path in REST.
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
  const action = named ?? /(?:^|&)Action=(\w+)/.exec(body)?.[1];
  const [path = "/"] = url.split("?");
  return action === undefined ? `${service} ${method} ${path}` : `${service}.${action}`;
}
