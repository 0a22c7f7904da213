import type { Template } from "aws-cdk-lib/assertions";
import { planRun } from "../../lambdas/driver/plan.ts";
import type { PlannedRun, PlanRequest } from "../../lib/run/messages.ts";
import { fakePorts } from "./fake-aws/driver-ports.ts";
import { FakeLambda } from "./fake-aws/fake-lambda.ts";
import { ResolvedTemplate } from "./resolved-template.ts";
import { longNames, type PassedLimit } from "./stack-limits.ts";

/** https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html */
const stepFunctions = { payloadBytes: 256 * 1024, historyEvents: 25_000 } as const;

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_HistoryEvent.html
const choiceEvents = 2;
const mapEvents = 5;
/** Entered, scheduled, started, succeeded and exited; for each of three retries, scheduled, started and failed. */
const taskEvents = 5 + 3 * 3;
const startAndEndEvents = 4;

/** Returns every documented limit that a run with input `{}` would exceed on the deployed template. */
export async function limitsPassedByPlan(template: Template): Promise<readonly PassedLimit[]> {
  const run = await planRun(planRequestOf(template), fakePorts(new FakeLambda({})));
  const passed = [
    {
      what: "payload bytes of the state Plan's result",
      found: Buffer.byteLength(JSON.stringify(run)),
      allowed: stepFunctions.payloadBytes,
    },
    { what: "history events", found: eventsOf(run), allowed: stepFunctions.historyEvents },
  ];
  return passed.filter(({ found, allowed }) => found > allowed);
}

function planRequestOf(template: Template): PlanRequest {
  const resolved = new ResolvedTemplate(template, longNames);
  const [machine] = resolved.ofType("AWS::StepFunctions::StateMachine");
  const { States } = JSON.parse(String(machine?.properties.DefinitionString));
  return { ...States.Plan.Arguments.Payload, input: {}, execution: "arn:aws:states:of:the:run" };
}

/** Counts the events of the run's own execution; the Map's children have separate histories. */
function eventsOf({ experiments }: PlannedRun): number {
  const ofExperiments = experiments.map(
    ({ order }) => order.length * (mapEvents + choiceEvents) + 3 * taskEvents + choiceEvents,
  );
  const others = startAndEndEvents + 2 * taskEvents + choiceEvents;
  return ofExperiments.reduce((sum, events) => sum + events, others);
}
