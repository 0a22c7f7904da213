import type { FakeRequest } from "../fake-aws/http.ts";
import type { IamRequest } from "./policy-evaluator.ts";

export type ServiceName = "dynamodb" | "lambda" | "logs" | "s3" | "states";

/** The account of the calls, with what IAM knows about its resources. */
export interface CalledAccount {
  readonly id: string;
  readonly region: string;
  /** Returns a function's tags. */
  readonly tagsOfFunction: (name: string) => Readonly<Record<string, string>>;
}

/**
 * Returns the IAM requests of an SDK client's request: all must be allowed. Actions, their resources and their
 * condition keys are those of the Service Authorization Reference,
 * https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 * Throws on a call that no handler has made so far: it must be added here, following that reference.
 */
export function iamRequestsOf(
  service: ServiceName,
  request: FakeRequest,
  account: CalledAccount,
): readonly IamRequest[] {
  switch (service) {
    case "s3":
      return s3Requests(request);
    case "lambda":
      return [lambdaRequest(request, account)];
    default:
      return targetRequests(service, request, account);
  }
}

/** Returns the bucket, from the host name if it is there and else from the path, and the object's key. */
export function objectOf({ hostname, path }: FakeRequest): { bucket: string; key: string } {
  const [, inHost] = /^(.+)\.s3\.[\w-]+\.amazonaws\.com$/.exec(hostname) ?? [];
  const [first = "", ...rest] = decodeURIComponent(path.slice(1)).split("/");
  if (inHost !== undefined) return { bucket: inHost, key: [first, ...rest].join("/") };
  return { bucket: first, key: rest.join("/") };
}

/** Follows list_amazons3.html. If-Match also needs permission to read the object: see conditional-writes.html. */
function s3Requests(request: FakeRequest): readonly IamRequest[] {
  const { method, query, headers } = request;
  const { bucket, key } = objectOf(request);
  const resource = `arn:aws:s3:::${bucket}`;
  const onObject = (action: string, context = {}) => ({
    action,
    resource: `${resource}/${key}`,
    context,
  });
  if (method === "GET" && query["list-type"] === "2") {
    const given = { "s3:prefix": query.prefix, "s3:delimiter": query.delimiter };
    return [{ action: "s3:ListBucket", resource, context: present(given) }];
  }
  if (method === "GET" && Object.keys(query).join() === "x-id") return [onObject("s3:GetObject")];
  if (method === "PUT" && Object.keys(query).join() === "x-id") {
    const given = {
      "s3:if-match": headers["if-match"],
      "s3:if-none-match": headers["if-none-match"],
    };
    const put = onObject("s3:PutObject", present(given));
    return headers["if-match"] === undefined ? [put] : [put, onObject("s3:GetObject")];
  }
  throw unknownCall("S3", request);
}

/** Follows list_awslambda.html: every action on a function comes with the function's tags. */
function lambdaRequest(request: FakeRequest, account: CalledAccount): IamRequest {
  const { method, path } = request;
  if (path.endsWith("/account-settings")) {
    return { action: "lambda:GetAccountSettings", resource: "*", context: {} };
  }
  const [, name = "", what = ""] =
    /\/functions\/([^/]+)(?:\/([\w-]+))?$/.exec(decodeURIComponent(path)) ?? [];
  const action = lambdaActions[`${method} ${what}`.trim()];
  if (name === "" || action === undefined) throw unknownCall("Lambda", request);
  const tags = Object.entries(account.tagsOfFunction(name));
  return {
    action,
    resource: `arn:aws:lambda:${account.region}:${account.id}:function:${name}`,
    context: Object.fromEntries(tags.map(([key, value]) => [`aws:ResourceTag/${key}`, value])),
  };
}

/** Actions by the method and the path after the function's name. */
const lambdaActions: Readonly<Record<string, string>> = {
  GET: "lambda:GetFunction",
  "GET configuration": "lambda:GetFunctionConfiguration",
  "PUT configuration": "lambda:UpdateFunctionConfiguration",
  "POST invocations": "lambda:InvokeFunction",
};

/** Returns requests to services that name the operation in a header; its resource is in the body. */
function targetRequests(
  service: "dynamodb" | "logs" | "states",
  { headers, body, ...request }: FakeRequest,
  { id, region }: CalledAccount,
): readonly IamRequest[] {
  const [, operation = ""] = /\.(\w+)$/.exec(headers["x-amz-target"] ?? "") ?? [];
  const action = `${service}:${operation}`;
  const input = JSON.parse(body) as Readonly<Record<string, unknown>>;
  const arn = (rest: string) => `arn:aws:${service}:${region}:${id}:${rest}`;
  switch (action) {
    case "dynamodb:BatchWriteItem":
      return Object.keys(input.RequestItems as object).map((table) => ({
        action,
        resource: arn(`table/${table}`),
        context: {},
      }));
    // The resource is the log group with all of its streams; IAM's denials name it with an empty stream.
    case "logs:FilterLogEvents":
      return [
        { action, resource: arn(`log-group:${input.logGroupName}:log-stream:`), context: {} },
      ];
    case "states:DescribeExecution":
      return [{ action, resource: String(input.executionArn), context: {} }];
    default:
      throw unknownCall(action, { ...request, headers, body });
  }
}

function present(keys: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const given = Object.entries(keys).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(given) as Readonly<Record<string, string>>;
}

function unknownCall(what: string, { method, path, query }: FakeRequest): Error {
  const call = `${what}: ${method} ${path} ${Object.keys(query).join("&")}`;
  return new Error(`which permission this call needs is not known here: ${call}`);
}
