import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import dynamodbBatchCases from "../../lib/contract/cases/dynamodb-batch-operations.json" with {
  type: "json",
};
import dynamodbEvents from "../../lib/contract/cases/dynamodb-events.json" with { type: "json" };
import { experiments } from "../../lib/experiments/catalogue.ts";
import type { Experiment, Variant } from "../../lib/plan/experiment.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { type AslMachine, definitionOf, templateWith } from "../support/asl-definition.ts";
import type { FakeAws } from "../support/fake-aws/driver-ports.ts";
import { type DeployedRole, deployedRoles } from "../support/iam/deployed-roles.ts";
import { decide, type Grant, type IamRequest } from "../support/iam/policy-evaluator.ts";
import { templateOf } from "../support/stack-contexts.ts";
import {
  execute,
  type OnDriver,
  portsFor,
  stoppedAt,
  usedGrants,
} from "../support/state-machine.ts";
import { synthTemplate } from "../support/synth.ts";

const context = { experiments: "dynamodb,s3-fanout", memory: "128", preset: "quick" };
const machine = definitionOf(synthTemplate(context));
const input = { cold: 1, warm: 0, seed: 1 };

/** What Lambda itself calls with a function's role: https://docs.aws.amazon.com/lambda/latest/dg/lambda-intro-execution-role.html */
const ofLambdaItself = ["logs:CreateLogStream", "logs:PutLogEvents"];

const lineOf = (role: string, { action, resource, condition }: Grant) =>
  `${role}: ${action} on ${resource} if ${JSON.stringify(condition)}`;

describe("what the drivers' roles allow", () => {
  beforeAll(async () => {
    const ports: FakeAws = portsFor(machine, {
      onInvoke: (_, answer) => {
        // Long enough for a driver to look at its execution.
        ports.clock.ms += 3_000;
        return { ...answer, log: "nothing of the report\n" };
      },
    });
    const { fakeS3 } = ports;
    const run = (input: object, onDriver?: OnDriver) => execute(machine, ports, input, onDriver);
    await run(input, stoppedAt("restore"));
    let trials = 0;
    const precise = await run(
      {
        experiment: "dynamodb",
        variants: ["rust", "python"],
        warm: 0,
        seed: 1,
        untilPrecision: "20%",
        maxMinutes: 60,
      },
      (handler) => {
        if (handler === "DrivermeasureFunction" && ++trials === 2) throw new Error("crashed");
      },
    );
    expect(precise.end.status).toBe("SUCCEEDED");
    expect(precise.history).toEqual(expect.arrayContaining(["Precision", "Record failure"]));
    const hurt = await run(input, (handler) => {
      if (/^Driver(measure|restore)Function$/.test(handler)) fakeS3.objects.delete("lock.json");
      if (handler === "DriverreportFunction") throw new Error("no report");
    });
    expect(hurt.history).toContain("Overview");
    await run(input);
    const respond = fakeS3.respond.bind(fakeS3);
    fakeS3.respond = (request) => {
      const isRead = request.method === "GET" && request.path.endsWith("/lock.json");
      if (isRead) fakeS3.objects.delete("lock.json");
      return respond(request);
    };
    await run(input, stoppedAt("seed"));
  });

  it("is all needed by a call that a handler makes", () => {
    const roles = deployedRoles(templateWith(machine)).ofDrivers;
    const unused = roles.flatMap(({ name, grants }) =>
      grants
        .filter((grant) => !usedGrants.has(grant) && !ofLambdaItself.includes(grant.action))
        .map((grant) => lineOf(name, grant)),
    );
    expect(unused).toEqual([]);
  });
});

/** What the role lacks for the calls, and what it has and none of them needs: both empty where it fits. */
function misfitOf({ name, grants }: DeployedRole, calls: readonly IamRequest[]) {
  const used = new Set<Grant>();
  const denied = calls.filter((call) => {
    const { isAllowed, by } = decide(grants, call);
    if (isAllowed) for (const grant of by) used.add(grant);
    return !isAllowed;
  });
  const unused = grants.filter(
    (grant) => !used.has(grant) && !ofLambdaItself.includes(grant.action),
  );
  return {
    denied: denied.map(({ action, resource }) => `${name}: ${action} on ${resource}`),
    unused: unused.map((grant) => lineOf(name, grant)),
  };
}

const fits = { denied: [], unused: [] };
const arn = (service: string, rest: string) => `arn:aws:${service}:us-east-1:123456789012:${rest}`;
const states = (action: string, rest: string) => ({
  action: `states:${action}`,
  resource: arn("states", rest),
  context: {},
});

/**
 * What Step Functions calls with the state machine's role, by its states. The children of a distributed Map
 * are executions of the same state machine, and begin anew where it is redriven.
 * https://docs.aws.amazon.com/step-functions/latest/dg/iam-policies-eg-dist-map.html
 * https://docs.aws.amazon.com/step-functions/latest/dg/redrive-map-run.html#maprun-iam-permission
 */
function callsOfStates({ States }: AslMachine): readonly IamRequest[] {
  return Object.values(States).flatMap(({ Type, Resource, Arguments, ItemProcessor }) => {
    if (Type === "Task") {
      expect(Resource).toMatch(/:states:::lambda:invoke$/);
      const { FunctionName } = Arguments as { readonly FunctionName: string };
      const resource = arn("lambda", `function:${FunctionName}`);
      return [{ action: "lambda:InvokeFunction", resource, context: {} }];
    }
    if (ItemProcessor === undefined) return [];
    return [
      states("StartExecution", "stateMachine:Kelvin"),
      states("DescribeExecution", "execution:Kelvin:child"),
      states("StopExecution", "execution:Kelvin:child"),
      states("RedriveExecution", "execution:Kelvin/label:child"),
      ...callsOfStates(ItemProcessor),
    ];
  });
}

describe("what the state machine's role allows", () => {
  const role = (of: AslMachine) =>
    deployedRoles(templateWith(of)).all.find(
      ({ name }) => name === "ConductorRole",
    ) as DeployedRole;

  it("is what its states call, and all of it is needed", () => {
    expect(misfitOf(role(machine), callsOfStates(machine))).toEqual(fits);
  });

  it("is no function that no state calls, and lacks none that one calls", () => {
    const calls = callsOfStates(machine);
    const [first] = calls;
    const stranger = { ...first, resource: arn("lambda", "function:stranger") } as IamRequest;
    expect(misfitOf(role(machine), [...calls, stranger]).denied).toEqual([
      `ConductorRole: lambda:InvokeFunction on ${stranger.resource}`,
    ]);
    expect(misfitOf(role(machine), calls.slice(1)).unused).toHaveLength(1);
  });
});

const everything = templateOf("every experiment");
const slug = (text: string) => text.replaceAll("-", "");
const idBeginning = (type: string, start: string) =>
  Object.keys(everything.findResources(type)).find((id) => id.startsWith(start));

/** The partition that an operation of the dynamodb experiment reads or writes by default. */
function partitionOf(operation: string): string | undefined {
  return dynamodbEvents.cases.find(({ parsed }) => parsed?.operation === operation)?.parsed?.pk;
}

/** What a function calls for an operation, as the experiments define it. */
function callsOfOperation({ id, table, bucket }: Experiment, operation: string): IamRequest[] {
  const name = idBeginning("AWS::DynamoDB::Table", `${slug(id)}dataTable`);
  const onTable = (action: string, pk = partitionOf(operation)) => {
    const context = { "dynamodb:LeadingKeys": [String(pk).replace("<bootId>", "1")] };
    return [{ action: `dynamodb:${action}`, resource: arn("dynamodb", `table/${name}`), context }];
  };
  const onObjects = () => {
    const objects = `arn:aws:s3:::${idBeginning("AWS::S3::Bucket", `${slug(id)}objectsBucket`)}`;
    const prefix = bucket?.prefix ?? "";
    return [
      { action: "s3:ListBucket", resource: objects, context: { "s3:prefix": prefix } },
      { action: "s3:GetObjectAcl", resource: `${objects}/${prefix}object`, context: {} },
    ];
  };
  const calls: Readonly<Record<string, () => IamRequest[]>> = {
    get: () => onTable("GetItem"),
    query: () => onTable("Query"),
    put: () => onTable("PutItem"),
    batch_write: () => onTable("BatchWriteItem"),
    fanout: onObjects,
    batch_write_get: () => {
      const written = dynamodbBatchCases.cases.flatMap(({ written }) => written ?? []);
      const partitions = new Set(written.map(([pk]) => pk));
      expect(partitions.size).toBe(1);
      return [...partitions].flatMap((pk) => [
        ...onTable("BatchWriteItem", pk),
        ...onTable("BatchGetItem", pk),
      ]);
    },
  };
  const made = calls[operation];
  if (made !== undefined) return made();
  expect([table, bucket], `${operation} of ${id} calls no service`).toEqual([undefined, undefined]);
  return [];
}

/** A Rust function's warm-up stands in its main. */
function callsOfInit({ source }: Variant): IamRequest[] {
  if (source.kind !== "cargo") return [];
  const { binaryName, packageName = binaryName } = source;
  const bin = join(projectPaths.rust, "crates", packageName, "src", "bin", binaryName);
  const main = [`${bin}.rs`, join(bin, "main.rs")].find((path) => existsSync(path)) ?? bin;
  const listsTables = readFileSync(main, "utf8").includes(".list_tables()");
  return listsTables ? [{ action: "dynamodb:ListTables", resource: "*", context: {} }] : [];
}

describe.each(experiments)("what the roles of the experiment $id allow", (experiment) => {
  it.each(experiment.variants)(
    "is what the operations of $id call, and all of it is needed",
    (variant) => {
      const name = `${slug(experiment.id)}${slug(variant.id)}Role`;
      const role = deployedRoles(everything).all.find((each) => each.name === name) as DeployedRole;
      const { coldOperation, warmOperations, requests } = experiment;
      const isCalled = (operation: string) =>
        requests?.[operation]?.variants?.includes(variant.id) ?? true;
      const operations = [coldOperation, ...warmOperations.filter(isCalled)];
      const calls = operations.flatMap((operation) =>
        callsOfOperation(experiment, requests?.[operation]?.operation ?? operation),
      );
      expect(misfitOf(role, [...calls, ...callsOfInit(variant)])).toEqual(fits);
    },
  );
});
