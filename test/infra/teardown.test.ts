import type { Stage } from "aws-cdk-lib";
import { Match } from "aws-cdk-lib/assertions";
import { AssetManifestArtifact } from "aws-cdk-lib/cx-api";
import { describe, expect, it } from "vitest";
import { permissionsOf } from "../support/policy-statements.ts";
import { stackOf, templateOf } from "../support/stack-contexts.ts";

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly DependsOn?: readonly string[];
  readonly Properties: Readonly<Record<string, unknown>>;
}

const resourcesOf = (context: string): Readonly<Record<string, Resource>> =>
  templateOf(context).toJSON().Resources;
const fatesIn = (context: string, type: string) =>
  Object.values(resourcesOf(context))
    .filter(({ Type }) => Type === type)
    .map(({ DeletionPolicy, UpdateReplacePolicy }) => [DeletionPolicy, UpdateReplacePolicy]);
const outputOf = (context: string, id: string) => templateOf(context).toJSON().Outputs[id];

const gone = ["Delete", "Delete"];
/** Not what a first deploy made before it failed. */
const stays = ["RetainExceptOnCreate", "Retain"];
const emptierTag = { Key: "aws-cdk:auto-delete-objects", Value: "true" };

describe("cdk destroy", () => {
  const context = "no context";
  const resources = resourcesOf(context);
  const idOf = (type: string, name = /./) =>
    Object.keys(resources).find((id) => resources[id]?.Type === type && name.test(id)) ?? "";
  const bucket = idOf("AWS::S3::Bucket");
  const emptier = resources[idOf("Custom::S3AutoDeleteObjects")];

  it("takes the bucket, the table and every log group with it", () => {
    expect(fatesIn(context, "AWS::S3::Bucket")).toEqual([gone]);
    expect(fatesIn(context, "AWS::DynamoDB::Table")).toEqual([gone]);
    expect(fatesIn(context, "AWS::Logs::LogGroup")).toEqual(Array(5).fill(gone));
  });

  it("empties the bucket first: no emulator holds us to it, they delete full buckets", () => {
    const handler = idOf("AWS::Lambda::Function", /^CustomS3AutoDeleteObjects/);
    expect(emptier?.Properties).toEqual({
      BucketName: { Ref: bucket },
      ServiceToken: { "Fn::GetAtt": [handler, "Arn"] },
    });
    expect(emptier?.DeletionPolicy).toBe("Delete");
  });

  it("leaves the emptier its permission until it is done, on this bucket and no more", () => {
    expect(emptier?.DependsOn).toEqual([idOf("AWS::S3::BucketPolicy")]);
    const may = permissionsOf(templateOf(context)).filter((line) => line.includes("AutoDelete"));
    const actions = ["s3:DeleteObject*", "s3:GetBucket*", "s3:List*", "s3:PutBucketPolicy"];
    expect(may.filter((line) => line.startsWith("AWS::S3::BucketPolicy: "))).toEqual(
      actions.flatMap((action) =>
        ["", "/*"].map(
          (objects) =>
            `AWS::S3::BucketPolicy: ${action} on ResultsBucket.Arn${objects} by ` +
            "CustomS3AutoDeleteObjectsCustomResourceProviderRole.Arn",
        ),
      ),
    );
  });

  it("finds the bucket tagged: without the tag the emptier empties nothing", () => {
    templateOf(context).hasResourceProperties("AWS::S3::Bucket", {
      Tags: Match.arrayWith([emptierTag]),
    });
  });

  it("can be followed by the deletion of all uploads, which are below a prefix of the stack's own", () => {
    const assembly = stackOf(context).node.root as Stage;
    const [manifest] = assembly
      .synth()
      .artifacts.filter(AssetManifestArtifact.isAssetManifestArtifact);
    const keys = Object.values(manifest?.contents.files ?? {}).flatMap(({ destinations }) =>
      Object.values(destinations).map(({ objectKey }) => objectKey),
    );
    expect(keys).toContainEqual(expect.stringMatching(/\.json$/));
    expect(keys).toContainEqual(expect.stringMatching(/\.zip$/));
    expect(keys.filter((key) => !key.startsWith("kelvin/Kelvin/"))).toEqual([]);
  });

  it("is announced by the output that names the bucket", () => {
    expect(outputOf(context, "ResultsBucket")).toEqual({
      Description: "The runs: they are deleted with the stack",
      Value: { Ref: bucket },
    });
    expect(outputOf(context, "DeleteResults")).toBe(undefined);
  });
});

describe("cdk destroy with kept results", () => {
  const context = "kept results";

  it("leaves the bucket, and with it what demands TLS", () => {
    expect(fatesIn(context, "AWS::S3::Bucket")).toEqual([stays]);
    expect(fatesIn(context, "AWS::S3::BucketPolicy")).toEqual([stays]);
  });

  it("takes everything else", () => {
    const kept = Object.values(resourcesOf(context)).filter(({ DeletionPolicy }) =>
      DeletionPolicy?.startsWith("Retain"),
    );
    expect(kept.map(({ Type }) => Type).sort()).toEqual([
      "AWS::S3::Bucket",
      "AWS::S3::BucketPolicy",
    ]);
    expect(fatesIn(context, "AWS::DynamoDB::Table")).toEqual([gone]);
    expect(fatesIn(context, "AWS::Logs::LogGroup")).toEqual(Array(4).fill(gone));
  });

  it("has nothing that empties the bucket: no call, no function, no permission, no tag", () => {
    const template = JSON.stringify(templateOf(context).toJSON());
    for (const trace of ["AutoDelete", "auto-delete", "s3:DeleteObject"]) {
      expect(template).not.toContain(trace);
    }
  });

  it("is announced: where the runs stay, and how to delete them", () => {
    const bucket = { Ref: "ResultsBucket46167C27" };
    expect(outputOf(context, "ResultsBucket")).toEqual({
      Description: "The runs: they are kept when the stack is destroyed",
      Value: bucket,
    });
    expect(outputOf(context, "DeleteResults")).toEqual({
      Description:
        "Deletes the kept runs and their bucket. Note it down: this output is deleted with the stack",
      Value: {
        "Fn::Join": ["", ["aws s3 rb s3://", bucket, " --force --region ", { Ref: "AWS::Region" }]],
      },
    });
  });
});
