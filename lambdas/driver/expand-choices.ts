import { defined } from "../../lib/contract/defined.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { experimentById } from "../../lib/experiments/catalogue.ts";
import { smallestPlan } from "../../lib/plan/blocks.ts";
import { expand, type RunChoice } from "../../lib/plan/expand.ts";
import type { ExperimentProtocol } from "../../lib/plan/experiment.ts";
import { experimentFolder } from "../../lib/plan/run-id.ts";
import type { ExperimentChoice, RunChoices } from "./console-input.ts";
import type { CellFunction, PlannedExperiment } from "./messages.ts";

export interface ExpandedExperiment extends ExperimentChoice {
  readonly plan: Plan;
  /** Folder of all its files, below runs/. */
  readonly folder: string;
}

/** Each experiment that was asked for with its plan. */
export function expandChoices(
  choices: RunChoices,
  run: Pick<RunChoice, "runId" | "createdAt" | "seed" | "lanes">,
): readonly ExpandedExperiment[] {
  const { preset, cold, warm, stopping, limits } = choices;
  const all = choices.experiments.map(({ experiment }) => experiment);
  return choices.experiments.map((choice) => ({
    ...choice,
    plan: {
      ...expand(protocolOf(choice), choice.cells, {
        ...run,
        target: "aws",
        preset,
        ...(cold !== undefined && { cold }),
        ...(warm !== undefined && { warm }),
        ...(stopping !== undefined && { stopping }),
      }),
      ...(limits !== undefined && { limits: [...limits] }),
    },
    folder: [run.runId, experimentFolder(choice.experiment, all)]
      .filter((part) => part !== "")
      .join("/"),
  }));
}

function protocolOf({ experiment, deployed }: ExperimentChoice): ExperimentProtocol {
  const { protocol } = deployed;
  return protocol === undefined ? experimentById(experiment) : JSON.parse(protocol);
}

/** Picks what the states after Plan need. */
export function plannedExperiment(expanded: ExpandedExperiment): PlannedExperiment {
  const { experiment, deployed, folder, plan } = expanded;
  const indexOf = new Map(plan.cells.map((cell, index) => [cell.id, index]));
  const { tableName, bucketName } = deployed;
  return {
    experiment,
    folder,
    seed: {
      experiment,
      ...defined({ tableName, bucketName }),
    },
    cells: plan.cells.map((cell) => cellFunction(cell.id, deployed.functions)),
    order: plan.blocks.map(({ visits: trials }) =>
      trials.map((trial) => indexOf.get(trial.cellId) as number),
    ),
    blockCount: smallestPlan(plan).blocks.length,
    ...(plan.stopping !== undefined && { isUntilPrecise: true }),
  };
}

function cellFunction(cellId: string, functions: Readonly<Record<string, string>>): CellFunction {
  const functionName = functions[cellId];
  if (functionName === undefined) throw new Error(`the stack has no function for cell ${cellId}`);
  return { cellId, functionName };
}
