import { beforeEach, describe, expect, it } from "vitest";
import { deleteUploads } from "../../lib/aws/stack-uploads.ts";
import { type FakeAccount, fakeAccount } from "../support/fake-aws/fake-account.ts";

let account: FakeAccount;
beforeEach(() => {
  account = fakeAccount();
});

const place = { account: "123456789012", partition: "aws-cn", region: "cn-north-1" };
const deleted = (name = "Kelvin-orders", qualifier = "hnb659fds") =>
  deleteUploads({ name, qualifier, ...place }, account.clients);

describe("what the CDK uploaded for a stack", () => {
  it("is deleted in every version, its delete markers too, and nothing of another stack", async () => {
    const others = [
      ["kelvin/Kelvin-orders-2/a.zip", "v1"],
      ["kelvin/Kelvin/a.zip", "v2"],
      ["a.zip", "v3"],
    ] as const;
    account.uploads.versions = [
      ...others,
      ["kelvin/Kelvin-orders/a.zip", "v4"],
      ["kelvin/Kelvin-orders/a.zip", "v5"],
      ["kelvin/Kelvin-orders/b.json", "marker1"],
    ];
    expect(await deleted()).toBe(3);
    expect(account.uploads.versions).toEqual(others);
  });

  it("is deleted by 1,000 versions a call, as the role that publishes files", async () => {
    account.uploads.versions = Array.from({ length: 2500 }, (_, index) => [
      `kelvin/Kelvin-orders/${index}.zip`,
      `v${index}`,
    ]);
    expect(await deleted("Kelvin-orders", "acme")).toBe(2500);
    expect(account.uploads.deletions).toEqual([1000, 1000, 500]);
    expect(account.roles).toEqual([
      "arn:aws-cn:iam::123456789012:role/cdk-acme-file-publishing-role-123456789012-cn-north-1",
    ]);
  });

  it("is nothing if there is no bucket of that qualifier", async () => {
    account.uploads.error = "NoSuchBucket";
    expect(await deleted()).toBe(0);
  });

  it("is named with its bucket and prefix if it cannot be deleted, and with what tries again", async () => {
    const left =
      "s3://cdk-acme-assets-123456789012-cn-north-1/kelvin/Kelvin-orders/, which the CDK uploaded for Kelvin-orders, is not deleted: ";
    const remedy =
      "; AWS_REGION=cn-north-1 kelvin destroy --stack Kelvin-orders --qualifier acme tries again";
    account.uploads.error = "AccessDenied";
    await expect(deleted("Kelvin-orders", "acme")).rejects.toThrow(`${left}not yours${remedy}`);
    account.uploads.error = undefined;
    account.uploads.versions = [["kelvin/Kelvin-orders/a.zip", "v1"]];
    account.uploads.locked.add("kelvin/Kelvin-orders/a.zip");
    await expect(deleted("Kelvin-orders", "acme")).rejects.toThrow(
      `${left}AccessDenied: locked${remedy}`,
    );
  });
});
