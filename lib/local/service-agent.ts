import { Agent, type AgentOptions, type RequestOptions } from "node:https";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect as secure } from "node:tls";
import type { EnvironmentNetwork } from "./environment-network.ts";

interface ServiceAgentOptions extends AgentOptions {
  readonly network: Pick<EnvironmentNetwork, "connect">;
  readonly isPlainHttp: boolean;
}

/** A ServiceAgent connects in the environments' network, for Kelvin's own HTTP calls to a service there. */
export class ServiceAgent extends Agent {
  readonly #network: Pick<EnvironmentNetwork, "connect">;
  readonly #isPlainHttp: boolean;

  constructor({ network, isPlainHttp, ...options }: ServiceAgentOptions) {
    super(options);
    this.#network = network;
    this.#isPlainHttp = isPlainHttp;
    // Node rejects a request whose protocol differs from its agent's.
    if (isPlainHttp) Object.assign(this, { protocol: "http:" });
  }

  override createConnection(
    options: RequestOptions,
    callback: (error: Error | null, stream: Duplex) => void = () => undefined,
  ): undefined {
    const secured = options as ConnectionOptions;
    this.#network.connect(Number(options.port)).then(
      (socket) => callback(null, this.#isPlainHttp ? socket : secure({ ...secured, socket })),
      (error: Error) => (callback as (error: Error) => void)(error),
    );
  }
}
