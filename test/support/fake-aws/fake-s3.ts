import type { FakeRequest, FakeResponse, FakeService } from "./http.ts";

/** S3 in memory, one bucket; lists come in pages. */
export class FakeS3 implements FakeService {
  readonly objects = new Map<string, string>();
  readonly writes: string[] = [];
  readonly #pageSize: number;

  constructor(pageSize = 1000) {
    this.#pageSize = pageSize;
  }

  /** Keys below a prefix, sorted. */
  keys(prefix: string): readonly string[] {
    return [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  }

  respond({ method, path, query, body }: FakeRequest): FakeResponse {
    const key = decodeURIComponent(path.slice(1));
    if (method === "PUT") {
      this.objects.set(key, body);
      this.writes.push(key);
      return { status: 200 };
    }
    if (query["list-type"] === "2") return this.#list(query);
    const text = this.objects.get(key);
    return text === undefined ? noSuchKey(key) : { status: 200, body: text };
  }

  #list(query: FakeRequest["query"]): FakeResponse {
    const prefix = String(query.prefix ?? "");
    const start = Number(query["continuation-token"] ?? 0);
    const keys = this.keys(prefix);
    const end = start + this.#pageSize;
    const contents = keys.slice(start, end).map((key) => `<Contents><Key>${key}</Key></Contents>`);
    const more =
      end < keys.length
        ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${end}</NextContinuationToken>`
        : "<IsTruncated>false</IsTruncated>";
    return xml(200, `<ListBucketResult>${more}${contents.join("")}</ListBucketResult>`);
  }
}

function noSuchKey(key: string): FakeResponse {
  return xml(404, `<Error><Code>NoSuchKey</Code><Message>no ${key}</Message></Error>`);
}

function xml(status: number, body: string): FakeResponse {
  return {
    status,
    headers: { "content-type": "application/xml" },
    body: `<?xml version="1.0"?>${body}`,
  };
}
