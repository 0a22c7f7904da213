import { Readable } from "node:stream";

/** What an AWS SDK client sends, as far as the fakes look at it. */
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

/** A service in memory: it answers what an SDK client sends, in place of the network. */
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
 * Configuration of a real SDK client whose requests go to the fake: what is tested is then the SDK's
 * own serialisation, retries and errors.
 */
export function configFor(service: FakeService) {
  return {
    region: "us-east-1",
    credentials: { accessKeyId: "fake", secretAccessKey: "fake" },
    // No fake checks a signature, and a whole run makes thousands of requests.
    signer: { sign: async <Request>(request: Request) => request },
    requestHandler: {
      metadata: { handlerProtocol: "http/1.1" },
      async handle(request: object) {
        const { body, headers, ...rest } = request as Record<string, unknown>;
        const {
          status,
          headers: answered,
          ...answer
        } = await service.respond({
          ...rest,
          headers,
          body: textOf(body),
        } as FakeRequest);
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
 * The client with all that it is and counts, but for where its requests go: to make another one takes as
 * long as some calls.
 */
export function sendingTo<Client extends AnyClient>(service: FakeService, client: Client): Client {
  const { requestHandler } = configFor(service);
  const config = { ...client.config, requestHandler };
  return new Proxy(client, {
    get: (target, key) => (key === "config" ? config : Reflect.get(target, key)),
  });
}

/** Only S3's objects are read as streams; making one for every answer costs a third of a call. */
function isStreamed(request: object): boolean {
  return String((request as Partial<FakeRequest>).hostname).includes("s3");
}

const decoder = new TextDecoder();

function textOf(body: unknown): string {
  if (body === undefined || typeof body === "string") return body ?? "";
  return decoder.decode(body as Uint8Array);
}
