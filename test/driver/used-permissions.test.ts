import { beforeAll, describe, expect, it } from "vitest";
import { definitionOf, templateWith } from "../support/asl-definition.ts";
import { ExecutionStopped } from "../support/asl-interpreter.ts";
import { deployedRoles } from "../support/iam/deployed-roles.ts";
import type { Grant } from "../support/iam/policy-evaluator.ts";
import { execute, portsFor, usedGrants } from "../support/state-machine.ts";
import { synthTemplate } from "../support/synth.ts";

const context = { experiments: "dynamodb,s3-fanout", memory: "128", preset: "quick" };
const machine = definitionOf(synthTemplate(context));
const input = { cold: 6, warm: 0, seed: 1 };

/** What Lambda itself calls with a function's role: https://docs.aws.amazon.com/lambda/latest/dg/lambda-intro-execution-role.html */
const ofLambdaItself = ["logs:CreateLogStream", "logs:PutLogEvents"];

const lineOf = (role: string, { action, resource, condition }: Grant) =>
  `${role}: ${action} on ${resource} if ${JSON.stringify(condition)}`;

describe("what the drivers' roles allow", () => {
  // A run that is stopped; one of two experiments that takes over, loses telemetry, a visit and the lock.
  beforeAll(async () => {
    const ports = portsFor(machine, {
      onInvoke: (_, answer) => ({ ...answer, log: "nothing of the report\n" }),
    });
    await execute(machine, ports, input, (handler) => {
      if (handler === "DriverprecisionFunction" || handler === "DriverrestoreFunction")
        throw new ExecutionStopped();
    });
    let visits = 0;
    const stopping = { ...input, untilPrecision: "50%", maxSamples: 200 };
    await execute(machine, ports, stopping, (handler) => {
      if (handler === "DrivermeasureFunction" && ++visits === 2) throw new Error("crashed");
    });
    await execute(machine, ports, input, (handler) => {
      if (/^Driver(measure|restore)Function$/.test(handler))
        ports.fakeS3.objects.delete("lock.json");
    });
    const { fakeStepFunctions } = ports;
    const respond = fakeStepFunctions.respond.bind(fakeStepFunctions);
    await execute(machine, ports, input, (handler) => {
      if (handler === "DriverseedFunction") throw new ExecutionStopped();
    });
    fakeStepFunctions.respond = (request) => {
      ports.fakeS3.objects.delete("lock.json");
      return respond(request);
    };
    await execute(machine, ports, input);
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
