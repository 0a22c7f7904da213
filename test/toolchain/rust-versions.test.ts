import { expect, it } from "vitest";
import { lockedVersion, lockedVersions } from "../../lib/toolchain/rust-toolchain.ts";

it("tells the version that the workspace's lockfile has of a crate", () => {
  expect(lockedVersion("dynoxide-rs")).toMatch(/^\d+\.\d+\.\d+$/);
  expect(lockedVersions("dynoxide-rs")).toEqual([lockedVersion("dynoxide-rs")]);
});

it("tells every version of a crate that is locked in several", () => {
  expect(new Set(lockedVersions("hashbrown")).size).toBeGreaterThan(1);
});

it("tells none of a crate that is not locked, also where its name begins another's", () => {
  expect(lockedVersion("aws-sdk")).toBeUndefined();
  expect(lockedVersions("aws-sdk")).toEqual([]);
});
