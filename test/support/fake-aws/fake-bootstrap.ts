import { type FakeRequest, type FakeResponse, type FakeService, jsonError } from "./http.ts";

/** Parameter Store, with the parameter of each bootstrap. */
export class FakeSsm implements FakeService {
  /** The bootstraps' versions by their qualifiers. */
  readonly versions = new Map([["hnb659fds", "31"]]);
  /** Actions that the caller may not call. */
  readonly denied = new Set<string>();

  respond({ headers, body }: FakeRequest): FakeResponse {
    const action = headers["x-amz-target"]?.split(".")[1] ?? "";
    const { Name, NextToken = "0" } = JSON.parse(body);
    if (this.denied.has(action)) {
      const message = `User: arn:aws:iam::123456789012:user/dev is not authorized to perform: ssm:${action}`;
      return jsonError(400, "AccessDeniedException", message);
    }
    const parameters = [...this.versions].map(([qualifier, Value]) => ({
      Name: `/cdk-bootstrap/${qualifier}/version`,
      Value,
    }));
    if (action === "GetParameter") {
      const Parameter = parameters.find((each) => each.Name === Name);
      // https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetParameter.html
      return Parameter === undefined
        ? jsonError(400, "ParameterNotFound", "")
        : json({ Parameter });
    }
    // A page has 10: https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetParametersByPath.html
    const end = Number(NextToken) + 10;
    const more = end < parameters.length && { NextToken: `${end}` };
    return json({ Parameters: parameters.slice(Number(NextToken), end), ...more });
  }
}

function json(answer: object): FakeResponse {
  return { status: 200, body: JSON.stringify(answer) };
}

/** STS, which knows the caller: https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html */
export const fakeSts: FakeService = {
  respond: () => {
    const identity = "<Arn>arn:aws:iam::123456789012:user/dev</Arn><Account>123456789012</Account>";
    const result = `<GetCallerIdentityResult>${identity}</GetCallerIdentityResult>`;
    const body = `<GetCallerIdentityResponse>${result}</GetCallerIdentityResponse>`;
    return { status: 200, headers: { "content-type": "text/xml" }, body };
  },
};

/** A bucket with versions, from which keys are deleted version by version; in pages as S3's. */
export class FakeUploads implements FakeService {
  /** Pairs of key and version id; a delete marker's id begins with "marker". */
  versions: (readonly [key: string, id: string])[] = [];
  /** The code of the error that every call is answered with. */
  error: string | undefined;
  /** Keys that cannot be deleted. */
  readonly locked = new Set<string>();
  /** How many versions each call deleted. */
  readonly deletions: number[] = [];

  respond({ method, query, body }: FakeRequest): FakeResponse {
    if (this.error !== undefined) {
      const status = this.error === "NoSuchBucket" ? 404 : 403;
      return xml(status, `<Error><Code>${this.error}</Code><Message>not yours</Message></Error>`);
    }
    return method === "POST" ? this.#delete(body) : this.#list(String(query.prefix));
  }

  /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html */
  #list(prefix: string): FakeResponse {
    const found = this.versions.filter(([key]) => key.startsWith(prefix));
    const shown = found.slice(0, 1000).map(([key, id]) => {
      const kind = id.startsWith("marker") ? "DeleteMarker" : "Version";
      return `<${kind}><Key>${key}</Key><VersionId>${id}</VersionId></${kind}>`;
    });
    const more = `<IsTruncated>${found.length > 1000}</IsTruncated>`;
    return xml(200, `<ListVersionsResult>${more}${shown.join("")}</ListVersionsResult>`);
  }

  /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
  #delete(body: string): FakeResponse {
    const named = [...body.matchAll(/<Key>(.*?)<\/Key><VersionId>(.*?)<\/VersionId>/g)];
    if (named.length > 1000) return xml(400, "<Error><Code>MalformedXML</Code></Error>");
    const kept = named.filter(([, key = ""]) => this.locked.has(key));
    const gone = new Set(named.filter((each) => !kept.includes(each)).map((each) => each[2]));
    this.versions = this.versions.filter(([, id]) => !gone.has(id));
    this.deletions.push(gone.size);
    const errors = kept.map(
      ([, key]) =>
        `<Error><Key>${key}</Key><Code>AccessDenied</Code><Message>locked</Message></Error>`,
    );
    return xml(200, `<DeleteResult>${errors.join("")}</DeleteResult>`);
  }
}

function xml(status: number, body: string): FakeResponse {
  return { status, headers: { "content-type": "application/xml" }, body };
}
