import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { eventSources, serviceEvent } from "../../lib/functions/service-events.ts";

const recordsOf = (event: object) => (event as { readonly Records: readonly object[] }).Records;

describe("the events of services", () => {
  it("have one SQS record for each body of a list, with the MD5 of its text", () => {
    const records = recordsOf(serviceEvent("sqs", [{ id: 1 }, "as it is"]));
    const md5 = (text: string) => createHash("md5").update(text).digest("hex");
    expect(records).toMatchObject([
      { body: '{"id":1}', md5OfBody: md5('{"id":1}'), eventSource: "aws:sqs" },
      { body: "as it is", md5OfBody: md5("as it is") },
    ]);
    const [first, second] = records as readonly { readonly messageId: string }[];
    expect(first?.messageId).not.toBe(second?.messageId);
  });

  it("carry an SNS message as text", () => {
    const [record] = recordsOf(serviceEvent("sns", { id: 1 }));
    expect(record).toMatchObject({ EventSource: "aws:sns", Sns: { Message: '{"id":1}' } });
  });

  it("encode an S3 object's key as S3 does", () => {
    const [record] = recordsOf(serviceEvent("s3", { bucket: "b", key: "a folder/ä.txt" }));
    expect(record).toMatchObject({
      s3: { bucket: { name: "b", arn: "arn:aws:s3:::b" }, object: { key: "a+folder/%C3%A4.txt" } },
    });
  });

  it("name a DynamoDB stream's change by the images that it has", () => {
    const Keys = { id: { S: "1" } };
    const image = { ...Keys, n: { N: "2" } };
    const changes = [
      { Keys, NewImage: image },
      { Keys, NewImage: image, OldImage: image },
      { Keys, OldImage: image },
    ];
    const names = recordsOf(serviceEvent("dynamodb-stream", changes)).map(
      (record) => (record as { readonly eventName: string }).eventName,
    );
    expect(names).toEqual(["INSERT", "MODIFY", "REMOVE"]);
  });

  it("have an EventBridge event's detail as it is", () => {
    expect(serviceEvent("eventbridge", { id: 1 })).toMatchObject({ detail: { id: 1 } });
  });

  it("are a POST with a body over HTTP, and a GET without", () => {
    expect(serviceEvent("apigateway", { id: 1 })).toMatchObject({
      httpMethod: "POST",
      body: '{"id":1}',
      headers: { "content-type": "application/json" },
    });
    expect(serviceEvent("apigateway", undefined)).toMatchObject({ httpMethod: "GET", body: null });
    const url = serviceEvent("function-url", undefined);
    expect(url).toMatchObject({ version: "2.0", requestContext: { http: { method: "GET" } } });
    expect(url).not.toHaveProperty("body");
  });

  it("refuse a body that the service cannot send", () => {
    expect(() => serviceEvent("s3", { key: "k" })).toThrow(InvalidInput);
    expect(() => serviceEvent("dynamodb-stream", "text")).toThrow("an object with Keys");
  });

  it("are JSON, and the same each time", () => {
    for (const source of eventSources) {
      const body = { bucket: "b", key: "k", Keys: {} };
      const event = serviceEvent(source, body);
      expect(JSON.parse(JSON.stringify(event))).toEqual(serviceEvent(source, body));
    }
  });
});
