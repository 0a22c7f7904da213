import { createHash } from "node:crypto";
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
    const shown = keys.slice(start, end).map((key) => this.#entry(key, prefix, query.delimiter));
    const contents = [...new Set(shown)];
    const more =
      end < keys.length
        ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${end}</NextContinuationToken>`
        : "<IsTruncated>false</IsTruncated>";
    return xml(200, `<ListBucketResult>${more}${contents.join("")}</ListBucketResult>`);
  }

  /** A key with its MD5; or, where the delimiter comes after the prefix, the folder it is in. */
  #entry(key: string, prefix: string, delimiter: unknown): string {
    const cut = typeof delimiter === "string" ? key.indexOf(delimiter, prefix.length) : -1;
    if (cut >= 0)
      return `<CommonPrefixes><Prefix>${key.slice(0, cut + 1)}</Prefix></CommonPrefixes>`;
    const md5 = createHash("md5")
      .update(this.objects.get(key) ?? "")
      .digest("hex");
    return `<Contents><Key>${key}</Key><ETag>&quot;${md5}&quot;</ETag></Contents>`;
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
