import { beforeAll, describe, expect, it } from "vitest";
import { definitionOf, templateWith } from "../support/asl-definition.ts";
import { ExecutionStopped } from "../support/asl-interpreter.ts";
import { deployedRoles } from "../support/iam/deployed-roles.ts";
import type { Grant } from "../support/iam/policy-evaluator.ts";
import { execute, type OnDriver, portsFor, usedGrants } from "../support/state-machine.ts";
import { synthTemplate } from "../support/synth.ts";

const context = { experiments: "dynamodb,s3-fanout", memory: "128", preset: "quick" };
const machine = definitionOf(synthTemplate(context));
const input = { cold: 2, warm: 0, seed: 1 };

/** What Lambda itself calls with a function's role: https://docs.aws.amazon.com/lambda/latest/dg/lambda-intro-execution-role.html */
const ofLambdaItself = ["logs:CreateLogStream", "logs:PutLogEvents"];

const lineOf = (role: string, { action, resource, condition }: Grant) =>
  `${role}: ${action} on ${resource} if ${JSON.stringify(condition)}`;

describe("what the drivers' roles allow", () => {
  beforeAll(async () => {
    const ports = portsFor(machine, {
      onInvoke: (_, answer) => ({ ...answer, log: "nothing of the report\n" }),
    });
    const { fakeS3 } = ports;
    const run = (input: object, onDriver?: OnDriver) => execute(machine, ports, input, onDriver);
    await run(input, (handler) => {
      if (handler === "DriverrestoreFunction") throw new ExecutionStopped();
    });
    let visits = 0;
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
        if (handler === "DrivermeasureFunction" && ++visits === 2) throw new Error("crashed");
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
    await run(input, (handler) => {
      if (handler === "DriverseedFunction") throw new ExecutionStopped();
    });
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
