import { InvalidInput } from "../contract/errors.ts";
import type { Plan } from "../contract/types/contract.ts";
import type { Experiment } from "../plan/experiment.ts";
import { functionsSubject } from "../plan/functions-subject.ts";
import { compute } from "./compute/definition.ts";
import { dynamodb } from "./dynamodb/definition.ts";
import { dynamodbBatch } from "./dynamodb-batch/definition.ts";
import { firstRequest } from "./first-request/definition.ts";
import { multicore } from "./multicore/definition.ts";
import { s3Fanout } from "./s3-fanout/definition.ts";
import { sha256 } from "./sha256/definition.ts";

/** All experiments, in the order of their reports. */
export const experiments: readonly Experiment[] = [
  dynamodb,
  firstRequest,
  compute,
  multicore,
  s3Fanout,
  dynamodbBatch,
  sha256,
];

/** The comparison in studies/ that is no matrix of functions, and is never deployed. */
const study = "emulators";

/** Returns the experiment with that id. Throws InvalidInput naming the known ones. */
export function experimentById(id: unknown): Experiment {
  const found = experiments.find((experiment) => experiment.id === id);
  if (found !== undefined) return found;
  const allowed = describeAllowed(id);
  const message = `there is no experiment ${JSON.stringify(id)}; there are ${allowed}`;
  throw new InvalidInput("experiment", id, allowed, id === study ? undefined : message);
}

/** Returns the subject of a report on measured functions: an experiment of the catalogue, or the user's functions. */
export function measuredSubject(plan: Pick<Plan, "experiment" | "ownResults" | "cells">) {
  return plan.ownResults ? functionsSubject(plan) : experimentById(plan.experiment);
}

/** Lists the allowed ids for an error about an unknown one. For the study that is never deployed, adds how to run it. */
export function describeAllowed(id: unknown): string {
  const ids = experiments.map((experiment) => experiment.id).join(", ");
  if (id !== study) return ids;
  return `${ids}; ${id} runs only on one machine and on its own: npm run bench -- --experiment ${id}`;
}
