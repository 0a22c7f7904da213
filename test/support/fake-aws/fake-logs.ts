import type { FakeEvent } from "./fake-log-pages.ts";
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
  /**
   * Looks that find nothing yet of an event: Lambda delivers logs some seconds after the call.
   * @default none
   */
  readonly looksBehind?: number;
}

interface StoredEvent extends FakeEvent {
  readonly logGroupName: string;
  /** Looks that had been made when it was written. */
  readonly looks: number;
}

export const fakeLogGroup = "logs-of-the-experiment";
const eventsPerPage = 2;

/** CloudWatch Logs in memory. Results come in pages, of which the first is empty. */
export class FakeLogs implements FakeService {
  /** In the order in which they were written. */
  readonly events: StoredEvent[] = [];
  /** The first request of each look; the others ask for its further pages. */
  readonly looks: LookRequest[] = [];
  /** Their names. */
  readonly groups = new Set<string>([fakeLogGroup]);
  /** The time of what is written, by the clock that says when calls start. */
  nowMs = 0;
  readonly #options: FakeLogsOptions;

  constructor(options: FakeLogsOptions = {}) {
    this.#options = options;
  }

  write(message: string, logStreamName = "a-stream", logGroupName = fakeLogGroup): void {
    const looks = this.looks.length;
    this.events.push({ message, logStreamName, logGroupName, timestamp: this.nowMs, looks });
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
    const matching = this.events.filter((event) => this.#matches(request, event));
    const sorted = matching.sort((a, b) => a.timestamp - b.timestamp);
    const first = Number(request.nextToken);
    const next = first + eventsPerPage;
    return page(sorted.slice(first, next), next < sorted.length ? next : undefined);
  }

  #matches({ logGroupName, filterPattern, startTime, endTime }: LookRequest, event: StoredEvent) {
    const phrases = [...filterPattern.matchAll(/"([^"]*)"/g)].map(([, text = ""]) => text);
    const isDelivered = this.looks.length - event.looks > (this.#options.looksBehind ?? 0);
    return (
      isDelivered &&
      event.logGroupName === logGroupName &&
      event.timestamp >= startTime &&
      event.timestamp <= endTime &&
      phrases.some((phrase) => event.message.includes(phrase))
    );
  }
}

/** An answer without events, as while the log has not arrived. */
export const nothingYet: FakeResponse = page([], undefined);

function page(found: readonly FakeEvent[], next: number | undefined): FakeResponse {
  const events = found.map(({ message, logStreamName, timestamp }) => ({
    message,
    logStreamName,
    timestamp,
  }));
  const nextToken = next === undefined ? {} : { nextToken: String(next) };
  return {
    status: 200,
    headers: { "content-type": "application/x-amz-json-1.1" },
    body: JSON.stringify({ events, searchedLogStreams: [], ...nextToken }),
  };
}
