import { checkFirstBlock } from "../../lambdas/driver/first-block.ts";
import { measure } from "../../lambdas/driver/measure.ts";
import { overview } from "../../lambdas/driver/overview.ts";
import { planRun } from "../../lambdas/driver/plan.ts";
import { precision } from "../../lambdas/driver/precision.ts";
import { recordFailure } from "../../lambdas/driver/record-failure.ts";
import { report } from "../../lambdas/driver/report.ts";
import { restore } from "../../lambdas/driver/restore.ts";
import { seed } from "../../lambdas/driver/seed.ts";
import { tryFunctions } from "../../lambdas/driver/try-functions.ts";
import type * as messages from "../../lib/run/messages.ts";
import { type AslMachine, type AslState, templateWith } from "./asl-definition.ts";
import { AslInterpreter, type Execution } from "./asl-interpreter.ts";
import { type FakeAws, fakePorts } from "./fake-aws/driver-ports.ts";
import { FakeLambda, type FakeLambdaOptions } from "./fake-aws/fake-lambda.ts";
import { deployedRoles } from "./iam/deployed-roles.ts";
import type { Grant } from "./iam/policy-evaluator.ts";

type Handler = (payload: never, ports: FakeAws) => Promise<unknown>;

/** The real handlers, by the logical id of their functions without its hash. */
const handlers: Readonly<Record<string, Handler>> = {
  DriverplanFunction: planRun satisfies (request: messages.PlanRequest, ports: FakeAws) => unknown,
  DriverseedFunction: seed,
  DrivertryfunctionsFunction: tryFunctions,
  DriverfirstblockFunction: checkFirstBlock,
  DrivermeasureFunction: (request, ports) => measure(request, ports, 15 * 60_000),
  DriverprecisionFunction: precision,
  DriverrecordfailureFunction: recordFailure,
  DriverrestoreFunction: restore,
  DriverreportFunction: report,
  DriveroverviewFunction: overview,
};

/** Called before each handler; what it throws, the handler's function throws. */
export type OnDriver = (
  handler: string,
  payload: Readonly<Record<string, unknown>>,
) => void | Promise<void>;

/** The ARN of a fake account's n-th execution. */
export function executionArn(n: number): string {
  return `arn:aws:states:us-east-1:123456789012:execution:Kelvin:${n}`;
}

/**
 * Runs the synthesised state machine with the real handlers over services in memory, each with the role
 * that its function has in the template; Step Functions there knows of the execution from its start on.
 * Throws where a handler made a call that its role does not allow.
 */
export async function execute(
  machine: AslMachine,
  ports: FakeAws,
  input: unknown,
  onDriver?: OnDriver,
): Promise<Execution> {
  const arn = executionArn(ports.fakeStepFunctions.executions.size + 1);
  const denials: string[] = [];
  const interpreter = interpreterOf(machine, ports, denials, onDriver);
  return await known(ports, arn, denials, () => interpreter.execute(machine, input, arn));
}

/** Goes on, as the n-th execution that it was, with what did not succeed in it. */
export async function redrive(
  machine: AslMachine,
  ports: FakeAws,
  n: number,
  { unsuccessful }: Execution,
): Promise<Execution> {
  if (unsuccessful === undefined) throw new Error(`execution ${n} has succeeded`);
  const arn = executionArn(n);
  const denials: string[] = [];
  const interpreter = interpreterOf(machine, ports, denials);
  return await known(ports, arn, denials, () => interpreter.redrive(machine, unsuccessful, arn));
}

/** Step Functions knows of it while it runs, and how it ended. */
async function known(
  ports: FakeAws,
  arn: string,
  denials: readonly string[],
  run: () => Promise<Execution>,
): Promise<Execution> {
  const { executions } = ports.fakeStepFunctions;
  executions.set(arn, "RUNNING");
  const execution = await run();
  executions.set(arn, execution.end.status);
  if (denials.length > 0) throw new Error([...new Set(denials)].join("\n"));
  return execution;
}

/** Every grant that a handler's call needed since the tests of this worker began. */
export const usedGrants = new Set<Grant>();

function interpreterOf(
  machine: AslMachine,
  ports: FakeAws,
  denials: string[],
  onDriver: OnDriver = () => {},
): AslInterpreter {
  const roles = deployedRoles(templateWith(machine));
  const portsOfFunction = new Map<string, FakeAws>();
  const portsAs = (functionName: string) =>
    ports.as({
      role: roles.ofFunction(functionName),
      account: roles.account,
      onUse: (grant) => usedGrants.add(grant),
      onDenial: (denial) => denials.push(denial),
    });
  return new AslInterpreter(async (functionName, payload) => {
    const handler = functionName.slice(0, -8);
    await onDriver(handler, payload as Readonly<Record<string, unknown>>);
    const run = handlers[handler];
    if (run === undefined) throw new Error(`no handler ${handler}`);
    const own = portsOfFunction.get(functionName) ?? portsAs(functionName);
    portsOfFunction.set(functionName, own);
    return await run(payload as never, own);
  });
}

/** What the state Plan asks its handler. */
export function planRequest(
  machine: AslMachine,
  input: unknown,
  execution: string,
): messages.PlanRequest {
  const { Arguments } = machine.States.Plan as AslState;
  const { Payload } = Arguments as { readonly Payload: messages.PlanRequest };
  return { ...Payload, input, execution };
}

/** Names of the measured functions, as the state machine knows them. */
export function measuredFunctions(machine: AslMachine): readonly string[] {
  const { Arguments } = machine.States.Restore as AslState;
  const { Payload } = Arguments as { readonly Payload: messages.RestoreRequest };
  return Payload.functionNames;
}

/** What every measured function of the fakes has in its environment before a run. */
export const deployedEnvironment = { TABLE_NAME: "table" };

/** Ports over a Lambda that has the state machine's functions. */
export function portsFor(
  machine: AslMachine,
  options: FakeLambdaOptions = {},
  region?: string,
): FakeAws {
  const names = measuredFunctions(machine);
  const environments = Object.fromEntries(names.map((name) => [name, deployedEnvironment]));
  const roles = deployedRoles(templateWith(machine));
  const logGroupOf = (name: string) => roles.logGroupOf(name);
  return fakePorts(
    new FakeLambda(environments, { logGroupOf, coldCallMs: 160, ...options }),
    region,
  );
}

/** Everything that a run stored below a folder, in the order of the paths. */
export function stored<Kind>({ fakeS3 }: FakeAws, folder: string): readonly Kind[] {
  const keys = fakeS3.keys("runs/").filter((key) => key.split("/")[2] === folder);
  return keys.flatMap((key) => {
    const lines = (fakeS3.objects.get(key) ?? "").split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line) as Kind);
  });
}

/** A JSON file of a run. */
export function file<Kind>({ fakeS3 }: FakeAws, name: string): Kind {
  const key = fakeS3.keys("runs/").find((each) => each.endsWith(`/${name}`)) ?? name;
  return JSON.parse(fakeS3.objects.get(key) ?? "null") as Kind;
}

export function invocations({ fakeLambda }: FakeAws): readonly string[] {
  return fakeLambda.requests.filter((request) => request.startsWith("Invoke"));
}
