import type { FakeRequest } from "../fake-aws/http.ts";
import type { IamRequest } from "./policy-evaluator.ts";

export type ServiceName = "dynamodb" | "lambda" | "logs" | "s3" | "states";

/** The account that the calls are made in, and what IAM knows of its resources. */
export interface CalledAccount {
  readonly id: string;
  readonly region: string;
  /** By function name. */
  readonly tagsOfFunction: (name: string) => Readonly<Record<string, string>>;
}

/**
 * What IAM is asked for a request of an SDK client: each must be allowed. Actions, the resource that each
 * of them names and the condition keys that come with it are those of the Service Authorization Reference,
 * https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 * Throws at a call that no handler made so far: it has to be added here, by that reference.
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

/** Below it, where the bucket's name may be a part of a host's name; else in the path. */
export function objectOf({ hostname, path }: FakeRequest): { bucket: string; key: string } {
  const [, inHost] = /^(.+)\.s3\.[\w-]+\.amazonaws\.com$/.exec(hostname) ?? [];
  const [first = "", ...rest] = decodeURIComponent(path.slice(1)).split("/");
  if (inHost !== undefined) return { bucket: inHost, key: [first, ...rest].join("/") };
  return { bucket: first, key: rest.join("/") };
}

/** list_amazons3.html; a condition on what is there needs reading besides writing, see conditional-writes.html. */
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

/** list_awslambda.html: a function's tags come with every action on it. */
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

/** By the method and what comes after the function's name. */
const lambdaActions: Readonly<Record<string, string>> = {
  GET: "lambda:GetFunction",
  "GET configuration": "lambda:GetFunctionConfiguration",
  "PUT configuration": "lambda:UpdateFunctionConfiguration",
  "POST invocations": "lambda:InvokeFunction",
};

/** Services whose requests name their operation in a header; what it is about stands in the body. */
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
    // Denied, it is named with an empty stream: the resource is the group's and what is below it.
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
