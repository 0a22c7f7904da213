import { S3Client } from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { S3ResultStore } from "../../lib/aws/s3-result-store.ts";
import type { CellFailure } from "../../lib/contract/types/contract.ts";
import { definitionOf, templateWith } from "../support/asl-definition.ts";
import type { FakeAws } from "../support/fake-aws/driver-ports.ts";
import { FakeS3 } from "../support/fake-aws/fake-s3.ts";
import { configFor, jsonError } from "../support/fake-aws/http.ts";
import { behindIam } from "../support/iam/caller.ts";
import { DeployedRoles } from "../support/iam/deployed-roles.ts";
import { decide } from "../support/iam/policy-evaluator.ts";
import { execute, portsFor, stored } from "../support/state-machine.ts";
import { synthTemplate } from "../support/synth.ts";
import { oneTrial, twoSizes } from "../support/two-sizes-run.ts";

const deleteLock = ({ fakeS3 }: FakeAws) => fakeS3.objects.delete("lock.json");

describe("a lock that was deleted by hand", () => {
  it("while a driver measures ends its trials with that reason, and the run with its report", async () => {
    const ports = portsFor(twoSizes);
    const twoTrials = { ...oneTrial, cold: 2 };
    const { end } = await execute(twoSizes, ports, twoTrials, (handler, { block }) => {
      if (handler === "DrivermeasureFunction" && block === 1) deleteLock(ports);
    });
    expect(end.status).toBe("SUCCEEDED");
    const failures = stored<CellFailure>(ports, "failures");
    expect(failures).not.toEqual([]);
    for (const failure of failures) {
      expect(failure).toMatchObject({
        type: "RunReplaced",
        message: "another run is using the stack: none: its lock was deleted",
      });
    }
  });

  it("before the state Restore does not keep it from its work", async () => {
    const ports = portsFor(twoSizes);
    const { end } = await execute(twoSizes, ports, oneTrial, (handler) => {
      if (handler === "DriverrestoreFunction") deleteLock(ports);
    });
    expect(end.status).toBe("SUCCEEDED");
  });

  it("while another run takes over lets that one start anew, and take it", async () => {
    const ports = portsFor(twoSizes);
    await execute(twoSizes, ports, oneTrial);
    const { fakeStepFunctions } = ports;
    const respond = fakeStepFunctions.respond.bind(fakeStepFunctions);
    fakeStepFunctions.respond = (request) => {
      deleteLock(ports);
      return respond(request);
    };
    const { end } = await execute(twoSizes, ports, oneTrial);
    expect(end.status).toBe("SUCCEEDED");
    expect(ports.fakeS3.objects.has("lock.json")).toBe(true);
  });
});

it("a report that was never written is missed by its own experiment alone: the page of all tells the others and the failure", async () => {
  const context = { experiments: "dynamodb,compute", memory: "128", preset: "quick" };
  const both = definitionOf(synthTemplate(context));
  const ports = portsFor(both);
  const input = { cold: 1, warm: 0, seed: 1, variants: ["python"] };
  const { end } = await execute(both, ports, input, (handler, { folder }) => {
    const isFirst = handler === "DriverreportFunction" && String(folder).endsWith("/dynamodb");
    if (isFirst) throw new Error("the report failed");
  });
  expect(end).toMatchObject({ status: "FAILED", cause: expect.stringContaining("report.md") });
  const [page = ""] = ports.fakeS3
    .keys("runs/")
    .filter((key) => /^runs\/[^/]+\/report\.md$/.test(key));
  expect(ports.fakeS3.objects.get(page)).toContain("the report failed");
  expect(ports.fakeS3.objects.get(page)).toContain("**Compute: Python");
});

describe("S3 in memory", () => {
  const { account, ...roles } = rolesOfTwoSizes();
  const s3 = new FakeS3();
  const readAs = async (handler: RegExp, path: string) => {
    const role = roles.of(handler);
    const caller = { role, account, onUse: () => {}, onDenial: () => {} };
    const client = new S3Client(configFor(behindIam("s3", s3, caller)));
    return await new S3ResultStore(client, "results", "run").readText(path);
  };

  it("denies an absent key to a role that may not list the bucket without a prefix, as S3 does", async () => {
    const bucket = { action: "s3:ListBucket", resource: "arn:aws:s3:::results" };
    const { grants } = roles.of(/^Driverprecision/);
    const withPrefix = { ...bucket, context: { "s3:prefix": "runs/run/plan.json" } };
    expect(decide(grants, withPrefix).isAllowed).toBe(true);
    expect(decide(grants, { ...bucket, context: {} }).isAllowed).toBe(false);
    // Listed, it is known to be absent.
    expect(await readAs(/^Driverprecision/, "plan.json")).toBeUndefined();
    // It may not be listed: that it is absent cannot be told from that it is denied.
    await expect(readAs(/^Drivermeasure/, "plan.json")).rejects.toThrow("AccessDenied");
  });

  it("denies what is there to a role that may not read it, listed or not", async () => {
    s3.objects.set("runs/run/report.json", "{}");
    expect(await readAs(/^Driveroverview/, "report.json")).toBe("{}");
    await expect(readAs(/^Driverprecision/, "report.json")).rejects.toThrow("not authorized");
  });
});

function rolesOfTwoSizes() {
  const deployed = new DeployedRoles(templateWith(twoSizes));
  const of = (name: RegExp) => {
    const role = deployed.ofDrivers.find((each) => name.test(each.name));
    if (role === undefined) throw new Error(`no role ${name}`);
    return role;
  };
  return { account: deployed.account, of };
}

const remedy =
  "kelvin deploy --revert-drift, with the options of the first deploy, creates it anew";

it("a table that was deleted by hand fails the run with its name, the step and the remedy", async () => {
  const ports = portsFor(twoSizes);
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
  ports.fakeDynamoDb.respond = () =>
    jsonError(400, "ResourceNotFoundException", "Requested resource not found");
  const { end } = await execute(twoSizes, ports, oneTrial);
  expect(end.status).toBe("FAILED");
  const told = JSON.stringify(end);
  expect(told).toMatch(/the table \S+ \(the step Seed writes its items.*\) was deleted by hand/);
  expect(told).toContain(remedy);
});

it("a function that was deleted by hand is named so before anything is measured", async () => {
  const ports = portsFor(twoSizes);
  const [name = ""] = [...ports.fakeLambda.functions.keys()].filter((each) =>
    /python.*512/.test(each),
  );
  ports.fakeLambda.functions.delete(name);
  const { end } = await execute(twoSizes, ports, oneTrial);
  expect(end.status).toBe("FAILED");
  const told = JSON.stringify(end);
  expect(told).toContain(`the function ${name} (the steps Try functions, Measure and Restore`);
  expect(told).toContain(remedy);
});
