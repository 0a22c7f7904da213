import { createHash } from "node:crypto";
import type { FakeRequest, FakeResponse, FakeService } from "./http.ts";

/** S3 in memory: one bucket, paged lists, and conditional writes. */
export class FakeS3 implements FakeService {
  readonly objects = new Map<string, string>();
  readonly writes: string[] = [];
  /** Size to report instead of the object's own, by key. */
  readonly claimedBytes = new Map<string, number>();
  /** Time of an object's last change, by key; the others have none. */
  readonly modifiedMs = new Map<string, number>();
  readonly #pageSize: number;

  constructor(pageSize = 1000) {
    this.#pageSize = pageSize;
  }

  /** Returns the keys with a prefix, sorted. */
  keys(prefix: string): readonly string[] {
    return [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  }

  respond({ method, path, query, headers, body }: FakeRequest): FakeResponse {
    const key = decodeURIComponent(path.slice(1));
    if (method === "PUT") return this.#put(key, body, headers);
    if (query["list-type"] === "2") return this.#list(query);
    const text = this.objects.get(key);
    if (text === undefined) return noSuchKey(key);
    return { status: 200, headers: { etag: etagOf(text) }, body: text };
  }

  #put(key: string, body: string, headers: FakeRequest["headers"]): FakeResponse {
    const present = this.objects.get(key);
    const ifMatch = headers["if-match"];
    if (ifMatch !== undefined && present === undefined) return noSuchKey(key);
    const isAnother = ifMatch !== undefined && ifMatch !== etagOf(present ?? "");
    const isThere = headers["if-none-match"] === "*" && present !== undefined;
    if (isAnother || isThere) return s3Error(412, "PreconditionFailed", key);
    this.objects.set(key, body);
    this.writes.push(key);
    return { status: 200, headers: { etag: etagOf(body) } };
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

  /** Returns a key with its MD5 or, if the delimiter follows the prefix, the key's folder. */
  #entry(key: string, prefix: string, delimiter: unknown): string {
    const cut = typeof delimiter === "string" ? key.indexOf(delimiter, prefix.length) : -1;
    if (cut >= 0)
      return `<CommonPrefixes><Prefix>${key.slice(0, cut + 1)}</Prefix></CommonPrefixes>`;
    const etag = etagOf(this.objects.get(key) ?? "").replaceAll('"', "&quot;");
    const text = this.objects.get(key) ?? "";
    const bytes = this.claimedBytes.get(key) ?? Buffer.byteLength(text);
    const changed = new Date(this.modifiedMs.get(key) ?? 0).toISOString();
    const modified = this.modifiedMs.has(key) ? `<LastModified>${changed}</LastModified>` : "";
    return `<Contents><Key>${key}</Key>${modified}<ETag>${etag}</ETag><Size>${bytes}</Size></Contents>`;
  }
}

/** Returns the MD5, the ETag of an object from a single PUT. */
function etagOf(text: string): string {
  return `"${createHash("md5").update(text).digest("hex")}"`;
}

function noSuchKey(key: string): FakeResponse {
  return s3Error(404, "NoSuchKey", key);
}

/** An XML error as S3 sends it. */
export function s3Error(status: number, code: string, key: string): FakeResponse {
  return xml(status, `<Error><Code>${code}</Code><Message>${code}: ${key}</Message></Error>`);
}

function xml(status: number, body: string): FakeResponse {
  return {
    status,
    headers: { "content-type": "application/xml" },
    body: `<?xml version="1.0"?>${body}`,
  };
}
