import { Readable } from "node:stream";

/** The parts of an SDK client's request that the fakes read. */
export interface FakeRequest {
  readonly method: string;
  readonly hostname: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface FakeResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A service in memory that answers an SDK client's requests instead of the network. */
export interface FakeService {
  respond(request: FakeRequest): FakeResponse | Promise<FakeResponse>;
}

/** A JSON error as Lambda and DynamoDB send it. */
export function jsonError(status: number, type: string, message: string): FakeResponse {
  return {
    status,
    headers: { "x-amzn-errortype": type, "content-type": "application/json" },
    body: JSON.stringify({ __type: type, message, Message: message }),
  };
}

/**
 * Configures a real SDK client to send its requests to the fake, so that tests cover the SDK's own serialisation,
 * retries and errors.
 */
export function configFor(service: FakeService) {
  return {
    region: "us-east-1",
    credentials: { accessKeyId: "fake", secretAccessKey: "fake" },
    // No fake checks signatures, and a whole run makes thousands of requests.
    signer: { sign: async <Request>(request: Request) => request },
    requestHandler: {
      metadata: { handlerProtocol: "http/1.1" },
      async handle(request: object) {
        const { body, headers, ...rest } = request as Record<string, unknown>;
        const {
          status,
          headers: answered,
          ...answer
        } = await service.respond({ ...rest, headers, body: textOf(body) } as FakeRequest);
        const bytes = Buffer.from(answer.body ?? "");
        const response = {
          statusCode: status,
          headers: { "x-amzn-requestid": "fake-request", ...answered },
          body: isStreamed(request) ? Readable.from([bytes]) : bytes,
        };
        return { response: response as never };
      },
      updateHttpClientConfig() {},
      httpHandlerConfigs: () => ({}),
    },
  };
}

/** A client of the SDK. */
export interface AnyClient {
  readonly config: object;
}

/**
 * Returns the same client, with its state, but sending its requests to another service: creating a client takes as
 * long as several calls.
 */
export function sendingTo<Client extends AnyClient>(service: FakeService, client: Client): Client {
  const { requestHandler } = configFor(service);
  const config = { ...client.config, requestHandler };
  return new Proxy(client, {
    get: (target, key) => (key === "config" ? config : Reflect.get(target, key)),
  });
}

/** Only S3 objects are read as streams; creating one for every answer costs a third of a call. */
function isStreamed(request: object): boolean {
  return String((request as Partial<FakeRequest>).hostname).includes("s3");
}

const decoder = new TextDecoder();

function textOf(body: unknown): string {
  if (body === undefined || typeof body === "string") return body ?? "";
  return decoder.decode(body as Uint8Array);
}
