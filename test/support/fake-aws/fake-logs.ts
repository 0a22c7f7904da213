import type { FakeEvent } from "./fake-log-pages.ts";
import { type FakeRequest, type FakeResponse, type FakeService, jsonError } from "./http.ts";

/** The fields of a FilterLogEvents request that the fake reads. A look is one search of the log, with all its pages. */
interface LookRequest {
  readonly logGroupName: string;
  readonly filterPattern: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly nextToken?: string;
}

export interface FakeLogsOptions {
  /** Returns the response to the look of this number, from 1; undefined filters the log. */
  readonly onLook?: (look: number, request: LookRequest) => FakeResponse | undefined;
  /** Returns a function's log group; absent: one group for all. */
  readonly logGroupOf?: (functionName: string) => string;
  /**
   * Number of looks before an event is found: Lambda delivers logs some seconds after the call.
   * @default none
   */
  readonly looksBehind?: number;
}

interface StoredEvent extends FakeEvent {
  readonly logGroupName: string;
  /** Number of looks before the event was written. */
  readonly looks: number;
}

export const fakeLogGroup = "logs-of-the-experiment";
const eventsPerPage = 2;

/** CloudWatch Logs in memory. Results are paged, and the first page is empty. */
export class FakeLogs implements FakeService {
  /** Events in the order in which they were written. */
  readonly events: StoredEvent[] = [];
  /** First request of each look; the others are for further pages. */
  readonly looks: LookRequest[] = [];
  /** Names of the existing log groups. */
  readonly groups = new Set<string>([fakeLogGroup]);
  /** Timestamp of new events, by the same clock as the calls' start times. */
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

/** A response without events, as before the log is delivered. */
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
