import { type FakeRequest, type FakeResponse, type FakeService, jsonError } from "./http.ts";

/** What is looked at of FilterLogEvents' request. */
export interface LookRequest {
  readonly logGroupName: string;
  readonly filterPattern: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly nextToken?: string;
}

export interface FakeLogsOptions {
  /** Answers the look of this number, from 1; undefined: the log is filtered. */
  readonly onLook?: (look: number, request: LookRequest) => FakeResponse | undefined;
  /** The log group of a function; absent: one for all. */
  readonly logGroupOf?: (functionName: string) => string;
}

export const fakeLogGroup = "logs-of-the-experiment";
const eventsPerPage = 2;

/** CloudWatch Logs in memory: every group has all that was logged. Results come in pages, of which the first is empty. */
export class FakeLogs implements FakeService {
  /** Every event's message, in the order of time. */
  readonly messages: string[] = [];
  /** The first request of each look; the others ask for its further pages. */
  readonly looks: LookRequest[] = [];
  /** Their names. */
  readonly groups = new Set<string>([fakeLogGroup]);
  readonly #options: FakeLogsOptions;

  constructor(options: FakeLogsOptions = {}) {
    this.#options = options;
  }

  respond({ body }: FakeRequest): FakeResponse {
    const request = JSON.parse(body) as LookRequest;
    if (!this.groups.has(request.logGroupName)) {
      return jsonError(400, "ResourceNotFoundException", "The specified log group does not exist.");
    }
    if (request.nextToken === undefined) {
      this.looks.push(request);
      const answer = this.#options.onLook?.(this.looks.length, request);
      if (answer !== undefined) return answer;
      return page([], 0);
    }
    const phrases = [...request.filterPattern.matchAll(/\?"([^"]*)"/g)].map(([, text]) => text);
    const matching = this.messages.filter((message) =>
      phrases.some((phrase) => phrase !== undefined && message.includes(phrase)),
    );
    const first = Number(request.nextToken);
    const next = first + eventsPerPage;
    return page(matching.slice(first, next), next < matching.length ? next : undefined);
  }
}

/** An answer without events, as while the log has not arrived. */
export const nothingYet: FakeResponse = page([], undefined);

function page(messages: readonly string[], next: number | undefined): FakeResponse {
  const events = messages.map((message) => ({ message }));
  const nextToken = next === undefined ? {} : { nextToken: String(next) };
  return {
    status: 200,
    headers: { "content-type": "application/x-amz-json-1.1" },
    body: JSON.stringify({ events, ...nextToken }),
  };
}
