import { describe, expect, it } from "vitest";
import { decide, grantsOf, type IamRequest, trustGrantsOf } from "./policy-evaluator.ts";

const bucket = "arn:aws:s3:::results";
const get: IamRequest = {
  action: "s3:GetObject",
  resource: `${bucket}/runs/1/plan.json`,
  context: {},
};

function allows(statement: object, request: Partial<IamRequest> = {}): boolean {
  const grants = grantsOf({ Statement: [{ Effect: "Allow", Resource: "*", ...statement }] });
  return decide(grants, { ...get, ...request }).isAllowed;
}

describe("a policy, as IAM evaluates it", () => {
  it("allows nothing that it does not name, and a Deny comes before every Allow", () => {
    expect(allows({ Action: "s3:PutObject" })).toBe(false);
    expect(allows({ Action: ["s3:PutObject", "s3:GetObject"] })).toBe(true);
    const allow = { Effect: "Allow", Action: "s3:GetObject", Resource: "*" };
    const deny = { Effect: "Deny", Action: "s3:*", Resource: `${bucket}/*` };
    expect(decide(grantsOf({ Statement: [allow, deny] }), get).isAllowed).toBe(false);
  });

  it("takes an action in any case, and a resource as it is written", () => {
    expect(allows({ Action: "S3:getobject" })).toBe(true);
    expect(allows({ Action: "s3:GetObject", Resource: `${bucket}/RUNS/*` })).toBe(false);
    expect(allows({ Action: "s3:GetObject", Resource: `${bucket}/runs/*/plan.json` })).toBe(true);
    expect(allows({ Action: "s3:GetObject", Resource: bucket })).toBe(false);
  });

  it("has no wildcard of a segment reach into the next one", () => {
    const Action = "lambda:InvokeFunction";
    const request = { action: Action, resource: "arn:aws:lambda:us-east-1:1:function:a:2" };
    expect(allows({ Action, Resource: "arn:aws:lambda:*:function:*" }, request)).toBe(false);
    expect(allows({ Action, Resource: "arn:aws:lambda:us-*:1:function:*" }, request)).toBe(true);
    expect(allows({ Action, Resource: "arn:aws:lambda:us-east-1:1:function:b*" }, request)).toBe(
      false,
    );
  });

  it("finds no match where a condition's key is absent, whatever the value", () => {
    const Action = "s3:ListBucket";
    const Condition = { StringLike: { "s3:prefix": ["runs/*", "x"] } };
    const request = { action: Action, resource: bucket };
    expect(allows({ Action, Condition }, request)).toBe(false);
    expect(allows({ Action, Condition }, { ...request, context: { "s3:Prefix": "x" } })).toBe(true);
    expect(allows({ Action, Condition }, { ...request, context: { "s3:prefix": "y" } })).toBe(
      false,
    );
  });

  it("asks for every key and every operator of a condition", () => {
    const Condition = { StringEquals: { a: "1", b: "2" }, StringLike: { c: "3*" } };
    const statement = { Action: "s3:GetObject", Condition };
    expect(allows(statement, { context: { a: "1", b: "2", c: "33" } })).toBe(true);
    expect(allows(statement, { context: { a: "1", b: "2" } })).toBe(false);
    expect(allows(statement, { context: { a: "1", b: "*", c: "3" } })).toBe(false);
  });

  it("holds every value of a key against ForAllValues, and finds a match where there is none", () => {
    const Condition = { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["put-*", "b-*"] } };
    const statement = { Action: "s3:GetObject", Condition };
    const withKeys = (keys: readonly string[]) =>
      allows(statement, { context: { "dynamodb:LeadingKeys": keys } });
    expect(withKeys(["put-1", "b-2"])).toBe(true);
    expect(withKeys(["put-1", "seed"])).toBe(false);
    expect(allows(statement)).toBe(true);
  });

  it("of trust lets the service that it names assume the role, under its condition", () => {
    const trust = {
      Statement: {
        Effect: "Allow",
        Action: "sts:AssumeRole",
        Principal: { Service: "lambda.amazonaws.com" },
        Condition: { StringEquals: { "aws:SourceAccount": "1" } },
      },
    };
    const mayAssume = (service: string, context: IamRequest["context"]) => {
      const request = { action: "sts:AssumeRole", resource: "arn:aws:iam::1:role/r", context };
      return decide(trustGrantsOf(trust, service), request).isAllowed;
    };
    expect(mayAssume("lambda.amazonaws.com", { "aws:SourceAccount": "1" })).toBe(true);
    expect(mayAssume("lambda.amazonaws.com", { "aws:SourceAccount": "2" })).toBe(false);
    expect(mayAssume("lambda.amazonaws.com", {})).toBe(false);
    expect(mayAssume("states.amazonaws.com", { "aws:SourceAccount": "1" })).toBe(false);
    const anybody = { Statement: { ...trust.Statement, Principal: { AWS: "*" } } };
    expect(() => trustGrantsOf(anybody, "lambda.amazonaws.com")).toThrow("knows no principal AWS");
  });

  it("is refused where it says what the evaluator does not know", () => {
    expect(() => allows({ NotAction: "s3:GetObject" })).toThrow("knows no NotAction");
    const Condition = { Bool: { "aws:SecureTransport": "true" } };
    expect(() => allows({ Action: "s3:GetObject", Condition })).toThrow("does not know Bool");
  });
});
