import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { synthTemplate } from "../support/synth.ts";

interface Resource {
  readonly DeletionPolicy?: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}

const template = synthTemplate({ experiments: "s3-fanout", memory: "128" });
const kept = synthTemplate({ experiments: "s3-fanout", memory: "128", keepResults: "true" });
const found = (of: typeof template, type: string): [string, Resource][] =>
  Object.entries(of.findResources(type)) as [string, Resource][];
const bucketOf = (of: typeof template) =>
  found(of, "AWS::S3::Bucket").find(([id]) => id.startsWith("s3fanoutobjects")) as [
    string,
    Resource,
  ];

describe("the bucket that an experiment works on", () => {
  it("is private, encrypted, and its owner's alone", () => {
    const [, { Properties }] = bucketOf(template);
    expect(Properties).toMatchObject({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          { ServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" } },
        ],
      },
      OwnershipControls: { Rules: [{ ObjectOwnership: "BucketOwnerEnforced" }] },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
  });

  it("answers nothing that comes without TLS", () => {
    const [id] = bucketOf(template);
    template.hasResourceProperties("AWS::S3::BucketPolicy", {
      Bucket: { Ref: id },
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: "Deny",
            Action: "s3:*",
            Condition: { Bool: { "aws:SecureTransport": "false" } },
          }),
        ]),
      },
    });
  });

  it.each([
    ["as the results do", template],
    ["where the results stay, too", kept],
  ])("goes with the stack, emptied first, %s", (_, of) => {
    const [id, { DeletionPolicy }] = bucketOf(of);
    expect(DeletionPolicy).toBe("Delete");
    const emptied = found(of, "Custom::S3AutoDeleteObjects").map(
      ([, { Properties }]) => Properties.BucketName,
    );
    expect(emptied).toContainEqual({ Ref: id });
    const emptiers = found(of, "AWS::Lambda::Function").filter(([name]) =>
      name.startsWith("CustomS3AutoDelete"),
    );
    for (const [, { Properties }] of emptiers) {
      expect(Properties.LoggingConfig, "it must leave no log group behind").toBeDefined();
    }
  });

  it("is named to every function with the prefix of its objects, and to no other experiment's", () => {
    const [id] = bucketOf(template);
    const measured = found(template, "AWS::Lambda::Function").filter(([name]) =>
      name.startsWith("s3fanout"),
    );
    expect(measured).toHaveLength(6);
    for (const [, { Properties }] of measured) {
      expect(Properties.Environment).toEqual({
        Variables: { BUCKET_NAME: { Ref: id }, OBJECT_PREFIX: "fanout/" },
      });
    }
    expect(found(template, "AWS::DynamoDB::Table")).toEqual([]);
  });
});
