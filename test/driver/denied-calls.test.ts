import { describe, expect, it } from "vitest";
import type { CellFailure, Manifest, Sample } from "../../lib/contract/types/contract.ts";
import type { FakeAws } from "../support/fake-aws/driver-ports.ts";
import { s3Error } from "../support/fake-aws/fake-s3.ts";
import { type FakeRequest, jsonError } from "../support/fake-aws/http.ts";
import { execute, file, invocations, portsFor, stored } from "../support/state-machine.ts";
import { coldOnly, oneTrial, run, twoSizes } from "../support/two-sizes-run.ts";

const denied = jsonError(403, "AccessDeniedException", "not authorized to perform this");

/** S3 denies what the test names. */
function denyInS3({ fakeS3 }: FakeAws, isDenied: (request: FakeRequest) => boolean): void {
  const respond = fakeS3.respond.bind(fakeS3);
  fakeS3.respond = (request) =>
    isDenied(request) ? s3Error(403, "AccessDenied", request.path) : respond(request);
}

const cellsOf = (samples: readonly Sample[]) => new Set(samples.map(({ cell }) => cell.id));

describe("a call that a role does not allow", () => {
  it("of a function's update is recorded as its trials' failure, and the other cells finish", async () => {
    const { end, ports } = await run(coldOnly, {
      onUpdate: (name) => (name.startsWith("dynamodbpython") ? denied : undefined),
    });
    expect(end.status).toBe("SUCCEEDED");
    const failures = stored<CellFailure>(ports, "failures");
    expect(failures).toHaveLength(4);
    for (const failure of failures) {
      expect(failure).toMatchObject({
        cellId: expect.stringMatching(/^python-/),
        type: "AccessDeniedException",
        message: "not authorized to perform this",
      });
    }
    expect(cellsOf(stored<Sample>(ports, "samples")).size).toBe(5);
    expect(file<Manifest>(ports, "manifest.json").cellFailures).toEqual(failures);
  });

  it("of a function's invocation is an error sample, and no success", async () => {
    const python128 = "dynamodbpythonarm64128";
    const { ports } = await run(
      { ...coldOnly, variants: ["python"] },
      { onInvoke: ({ name }, answer) => (name.startsWith(python128) ? denied : answer) },
    );
    const python = stored<Sample>(ports, "samples").filter(({ cell }) => cell.memoryMb === 128);
    expect(python).toHaveLength(2);
    for (const sample of python) {
      expect(sample).toMatchObject({
        error: { type: "AccessDeniedException" },
        rejected: { reason: "error" },
      });
    }
  });

  it("of a trial's samples in S3 fails its driver, is recorded, and the other cells finish", async () => {
    const ports = portsFor(twoSizes);
    const isDenied = /\/samples\/rust-arm64-512\//;
    denyInS3(ports, ({ method, path }) => method === "PUT" && isDenied.test(path));
    const { end, history } = await execute(twoSizes, ports, {
      ...coldOnly,
      variants: ["rust", "python"],
      memoryMb: 512,
    });
    expect(end.status).toBe("SUCCEEDED");
    expect(history.filter((state) => state === "Record failure")).toHaveLength(2);
    expect(stored<CellFailure>(ports, "failures")).toMatchObject([
      { cellId: "rust-arm64-512", block: 0, type: "AccessDenied" },
      { cellId: "rust-arm64-512", block: 1, type: "AccessDenied" },
    ]);
  });

  it("of the lock in S3 ends the execution before anything is invoked", async () => {
    const ports = portsFor(twoSizes);
    denyInS3(ports, ({ method, path }) => method === "PUT" && path.endsWith("/lock.json"));
    const { end, history } = await execute(twoSizes, ports, oneTrial);
    expect(history).toEqual(["Plan", "Not started"]);
    expect(end).toMatchObject({ status: "FAILED", error: "AccessDenied" });
    expect(invocations(ports)).toEqual([]);
  });

  it("of the table's seeding leads to Restore and to a report, and is the execution's cause", async () => {
    const ports = portsFor(twoSizes);
    ports.fakeDynamoDb.respond = () => denied;
    const { end, history } = await execute(twoSizes, ports, oneTrial);
    expect(history).toEqual([
      ...["Plan", "Seed", "Restore", "Report", "Experiments left?"],
      ...["Overview", "Failed?", "Run failed"],
    ]);
    expect(end).toMatchObject({ status: "FAILED", error: "AccessDeniedException" });
    expect(file<Manifest>(ports, "manifest.json").warnings.join()).toContain("not authorized");
  });
});
