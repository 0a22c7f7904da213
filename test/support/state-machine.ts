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
import { AslInterpreter, type Execution, ExecutionStopped } from "./asl-interpreter.ts";
import { type FakeAws, fakePorts } from "./fake-aws/driver-ports.ts";
import { FakeLambda, type FakeLambdaOptions } from "./fake-aws/fake-lambda.ts";
import { deployedRoles } from "./iam/deployed-roles.ts";
import type { Grant } from "./iam/policy-evaluator.ts";

type Handler = (payload: never, ports: FakeAws) => Promise<unknown>;

/** The real handlers, by the logical id of their functions, without its hash. */
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

/** Called before each handler. If it throws, the handler's function fails with that error. */
export type OnDriver = (
  handler: string,
  payload: Readonly<Record<string, unknown>>,
) => void | Promise<void>;

/** Fails a state's handler each time with this error, or message; the state's name is in lower case. */
export function failing(state: string, error: Error | string): OnDriver {
  return (handler) => {
    if (handler !== `Driver${state}Function`) return;
    throw typeof error === "string" ? new Error(error) : error;
  };
}

/** Stops the execution, as a person does, when this state is to begin. */
export function stoppedAt(state: string): OnDriver {
  return failing(state, new ExecutionStopped());
}

/** Returns the ARN of a fake account's n-th execution. */
export function executionArn(n: number): string {
  return `arn:aws:states:us-east-1:123456789012:execution:Kelvin:${n}`;
}

/**
 * Runs the synthesised state machine with the real handlers over in-memory services. Each handler has the role of its
 * function in the template; the fake Step Functions lists the execution from its start. Throws if a handler made a
 * call that its role does not allow.
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

/** Redrives the n-th execution from the step that did not succeed. */
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

/** Records the execution in the fake Step Functions while it runs, and how it ended. */
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

/** Every grant that a handler's call has needed in this worker's tests so far. */
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

/** Returns the request of the state Plan to its handler. */
export function planRequest(
  machine: AslMachine,
  input: unknown,
  execution: string,
): messages.PlanRequest {
  const { Arguments } = machine.States.Plan as AslState;
  const { Payload } = Arguments as { readonly Payload: messages.PlanRequest };
  return { ...Payload, input, execution };
}

/** Returns the measured functions' names in the state machine. */
export function measuredFunctions(machine: AslMachine): readonly string[] {
  const { Arguments } = machine.States.Restore as AslState;
  const { Payload } = Arguments as { readonly Payload: messages.RestoreRequest };
  return Payload.functionNames;
}

/** Environment variables of every measured function of the fakes before a run. */
export const deployedEnvironment = { TABLE_NAME: "table" };

/** Returns ports over a fake Lambda with the state machine's functions. */
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

/** Returns all that a run stored in a folder, in order of paths. */
export function stored<Kind>({ fakeS3 }: FakeAws, folder: string): readonly Kind[] {
  const keys = fakeS3.keys("runs/").filter((key) => key.split("/")[2] === folder);
  return keys.flatMap((key) => {
    const lines = (fakeS3.objects.get(key) ?? "").split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line) as Kind);
  });
}

/** Returns a run's JSON file, parsed; null if there is none. */
export function file<Kind>({ fakeS3 }: FakeAws, name: string): Kind {
  const key = fakeS3.keys("runs/").find((each) => each.endsWith(`/${name}`)) ?? name;
  return JSON.parse(fakeS3.objects.get(key) ?? "null") as Kind;
}

/** Returns a file of the report in the run's folder. */
export function reportFile({ fakeS3 }: FakeAws, name = "report-full.md"): string {
  const key = fakeS3.keys("runs/").find((each) => each.endsWith(`/${name}`)) ?? "";
  return fakeS3.objects.get(key) ?? "";
}

export function invocations({ fakeLambda }: FakeAws): readonly string[] {
  return fakeLambda.requests.filter((request) => request.startsWith("Invoke"));
}
