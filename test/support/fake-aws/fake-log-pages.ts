import { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import { configFor, type FakeResponse } from "./http.ts";

/** An event as FilterLogEvents gives it. */
export interface FakeEvent {
  readonly message: string;
  readonly logStreamName: string;
  readonly timestamp: number;
}

type Page = readonly FakeEvent[] | FakeResponse | (() => FakeResponse);

/**
 * CloudWatch Logs that answers with these pages, one after the other: every page but the last one has a
 * token, the empty ones too, and a page that is an answer of another kind is asked for again by its token.
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
