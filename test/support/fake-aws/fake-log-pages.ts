import { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import { configFor, type FakeResponse } from "./http.ts";

/** An event in a response of FilterLogEvents. */
export interface FakeEvent {
  readonly message: string;
  readonly logStreamName: string;
  readonly timestamp: number;
}

type Page = readonly FakeEvent[] | FakeResponse | (() => FakeResponse);

/**
 * CloudWatch Logs that returns these pages in order: every page but the last has a token, even an empty one. After an
 * error response, the client repeats the request with the same token and gets the next page.
 */
export class FakeLogPages {
  readonly requests: Readonly<Record<string, unknown>>[] = [];
  readonly client: CloudWatchLogsClient;
  readonly #pages: Page[];

  constructor(pages: readonly Page[]) {
    this.#pages = [...pages];
    const config = configFor({ respond: ({ body }) => this.#respond(JSON.parse(body)) });
    this.client = new CloudWatchLogsClient({ ...config, maxAttempts: 3 });
  }

  #respond(request: Readonly<Record<string, unknown>>): FakeResponse {
    this.requests.push(request);
    const page = this.#pages.shift();
    if (page === undefined) throw new Error("asked for more than there is");
    if (typeof page === "function") return page();
    if (!Array.isArray(page)) return page as FakeResponse;
    const nextToken = this.#pages.length === 0 ? {} : { nextToken: `page-${this.#pages.length}` };
    return {
      status: 200,
      headers: { "content-type": "application/x-amz-json-1.1" },
      body: JSON.stringify({ events: page, searchedLogStreams: [], ...nextToken }),
    };
  }
}
