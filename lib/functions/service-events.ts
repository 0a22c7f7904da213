import { createHash } from "node:crypto";
import { InvalidInput } from "../contract/errors.ts";

/** The services whose events can be made from only a body. */
export const eventSources = [
  "apigateway",
  "dynamodb-stream",
  "eventbridge",
  "function-url",
  "s3",
  "sns",
  "sqs",
] as const;

export type EventSource = (typeof eventSources)[number];

const account = "123456789012";
const region = "us-east-1";
const time = "2026-01-01T00:00:00.000Z";
const timeMs = String(Date.parse(time));
const id = "11111111-2222-4333-8444-555555555555";

/**
 * serviceEvent wraps a body as the service does when it invokes a function. For a source that sends batches, each
 * item of a list becomes a record. Text is unchanged; any other value becomes JSON. Throws InvalidInput if the source
 * needs another kind of body.
 */
export function serviceEvent(source: EventSource, body: unknown): object {
  switch (source) {
    case "apigateway":
      return apiGatewayEvent(body);
    case "function-url":
      return functionUrlEvent(body);
    case "eventbridge":
      return eventBridgeEvent(body);
    case "sqs":
      return { Records: listOf(body).map(sqsRecord) };
    case "sns":
      return { Records: listOf(body).map(snsRecord) };
    case "s3":
      return { Records: listOf(body).map(s3Record) };
    case "dynamodb-stream":
      return { Records: listOf(body).map(streamRecord) };
  }
}

function listOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body];
}

function textOf(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
function sqsRecord(value: unknown, index: number): object {
  const body = textOf(value);
  return {
    messageId: `${id.slice(0, -2)}${String(index % 100).padStart(2, "0")}`,
    receiptHandle: "AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a",
    body,
    attributes: {
      ApproximateReceiveCount: "1",
      SentTimestamp: timeMs,
      SenderId: "AIDAIENQZJOLO23YVJ4VO",
      ApproximateFirstReceiveTimestamp: timeMs,
    },
    messageAttributes: {},
    md5OfBody: createHash("md5").update(body).digest("hex"),
    eventSource: "aws:sqs",
    eventSourceARN: `arn:aws:sqs:${region}:${account}:my-queue`,
    awsRegion: region,
  };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/with-sns.html */
function snsRecord(value: unknown): object {
  const topic = `arn:aws:sns:${region}:${account}:my-topic`;
  return {
    EventVersion: "1.0",
    EventSubscriptionArn: `${topic}:${id}`,
    EventSource: "aws:sns",
    Sns: {
      SignatureVersion: "1",
      Timestamp: time,
      Signature: "EXAMPLE",
      SigningCertUrl: `https://sns.${region}.amazonaws.com/SimpleNotificationService.pem`,
      MessageId: id,
      Message: textOf(value),
      MessageAttributes: {},
      Type: "Notification",
      UnsubscribeUrl: `https://sns.${region}.amazonaws.com/?Action=Unsubscribe`,
      TopicArn: topic,
      Subject: null,
    },
  };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/with-s3.html */
function s3Record(value: unknown): object {
  const { bucket, key, size = 1024 } = fieldsOf("s3", value, ["bucket", "key"]);
  return {
    eventVersion: "2.1",
    eventSource: "aws:s3",
    awsRegion: region,
    eventTime: time,
    eventName: "ObjectCreated:Put",
    userIdentity: { principalId: "EXAMPLE" },
    requestParameters: { sourceIPAddress: "127.0.0.1" },
    responseElements: { "x-amz-request-id": "EXAMPLE123456789", "x-amz-id-2": "EXAMPLE" },
    s3: {
      s3SchemaVersion: "1.0",
      configurationId: "my-notification",
      bucket: {
        name: bucket,
        ownerIdentity: { principalId: "EXAMPLE" },
        arn: `arn:aws:s3:::${String(bucket)}`,
      },
      object: {
        // S3 encodes keys like forms: a space becomes a plus sign.
        key: encodeURIComponent(String(key)).replaceAll("%20", "+").replaceAll("%2F", "/"),
        size,
        eTag: "0123456789abcdef0123456789abcdef",
        sequencer: "0A1B2C3D4E5F678901",
      },
    },
  };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html */
function streamRecord(value: unknown, index: number): object {
  const images = fieldsOf("dynamodb-stream", value, ["Keys"]);
  const change = images.NewImage === undefined ? "REMOVE" : "INSERT";
  return {
    eventID: String(index + 1),
    eventVersion: "1.1",
    eventName: images.NewImage !== undefined && images.OldImage !== undefined ? "MODIFY" : change,
    eventSource: "aws:dynamodb",
    awsRegion: region,
    dynamodb: {
      ApproximateCreationDateTime: Date.parse(time) / 1000,
      SequenceNumber: String(111 + index),
      SizeBytes: textOf(value).length,
      StreamViewType: "NEW_AND_OLD_IMAGES",
      ...images,
    },
    eventSourceARN: `arn:aws:dynamodb:${region}:${account}:table/my-table/stream/2026-01-01T00:00:00.000`,
  };
}

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-events-structure.html */
function eventBridgeEvent(detail: unknown): object {
  return {
    version: "0",
    id,
    "detail-type": "my-event",
    source: "my.application",
    account,
    time: time.replace(".000", ""),
    region,
    resources: [],
    detail,
  };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/services-apigateway.html */
function apiGatewayEvent(body: unknown): object {
  const headers = httpHeaders(body);
  const listed = Object.entries(headers).map(([name, value]) => [name, [value]]);
  const method = methodFor(body);
  return {
    resource: "/",
    path: "/",
    httpMethod: method,
    headers,
    multiValueHeaders: Object.fromEntries(listed),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    requestContext: {
      accountId: account,
      apiId: "1234567890",
      stage: "prod",
      requestId: id,
      requestTimeEpoch: Date.parse(time),
      identity: { sourceIp: "127.0.0.1", userAgent: headers["user-agent"] },
      resourcePath: "/",
      path: "/prod/",
      httpMethod: method,
      protocol: "HTTP/1.1",
    },
    body: body === undefined ? null : textOf(body),
    isBase64Encoded: false,
  };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html */
function functionUrlEvent(body: unknown): object {
  const headers = httpHeaders(body);
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath: "/",
    rawQueryString: "",
    headers,
    requestContext: {
      accountId: "anonymous",
      apiId: "my-url-id",
      domainName: headers.host,
      domainPrefix: "my-url-id",
      http: {
        method: methodFor(body),
        path: "/",
        protocol: "HTTP/1.1",
        sourceIp: "127.0.0.1",
        userAgent: headers["user-agent"],
      },
      requestId: id,
      routeKey: "$default",
      stage: "$default",
      time: "01/Jan/2026:00:00:00 +0000",
      timeEpoch: Date.parse(time),
    },
    ...(body !== undefined && { body: textOf(body) }),
    isBase64Encoded: false,
  };
}

function methodFor(body: unknown): "GET" | "POST" {
  return body === undefined ? "GET" : "POST";
}

function httpHeaders(body: unknown) {
  return {
    host: `my-url-id.lambda-url.${region}.on.aws`,
    "user-agent": "kelvin",
    "x-forwarded-for": "127.0.0.1",
    "x-forwarded-port": "443",
    "x-forwarded-proto": "https",
    ...(body !== undefined && {
      "content-type": typeof body === "string" ? "text/plain" : "application/json",
    }),
  };
}

/** Throws InvalidInput unless the body is an object with these fields. */
function fieldsOf(
  source: EventSource,
  body: unknown,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  const isObject = typeof body === "object" && body !== null;
  if (isObject && names.every((name) => name in body)) return body as Record<string, unknown>;
  const wanted = names.join(" and ");
  const message = `--event ${source}: takes an object with ${wanted}, or a list of such objects`;
  throw new InvalidInput("event", body, `an object with ${wanted}`, message);
}
