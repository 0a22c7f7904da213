import { defined } from "../contract/defined.ts";
import type { Plan } from "../contract/types/contract.ts";
import { smallestPlan } from "../plan/blocks.ts";
import type { RunChoice } from "../plan/expand.ts";
import { experimentFolder } from "../plan/run-id.ts";
import type { ConsoleChoices, DeployedChoice } from "./console-input.ts";
import type { CellFunction, PlannedExperiment } from "./messages.ts";
import { expandChoice } from "./run-choice.ts";

export interface ExpandedExperiment extends DeployedChoice {
  readonly plan: Plan;
  /** Folder of the experiment's files, below runs/. */
  readonly folder: string;
}

/** Returns the requested experiments with their plans. */
export function expandChoices(
  choices: ConsoleChoices,
  run: Pick<RunChoice, "runId" | "createdAt" | "seed" | "lanes">,
): readonly ExpandedExperiment[] {
  const { limits } = choices;
  const all = choices.experiments.map(({ experiment }) => experiment.id);
  return choices.experiments.map((choice) => ({
    ...choice,
    plan: {
      ...expandChoice(choice, choices, { ...run, target: "aws" }),
      ...(limits !== undefined && { limits: [...limits] }),
    },
    folder: [run.runId, experimentFolder(choice.experiment.id, all)]
      .filter((part) => part !== "")
      .join("/"),
  }));
}

/** Selects what the states after Plan need. */
export function plannedExperiment(
  expanded: ExpandedExperiment,
  inlineBlocks: number,
): PlannedExperiment {
  const { deployed, folder, plan } = expanded;
  const experiment = expanded.experiment.id;
  const indexOf = new Map(plan.cells.map((cell, index) => [cell.id, index]));
  const { tableName, bucketName } = deployed;
  return {
    experiment,
    folder,
    seed: { experiment, ...defined({ tableName, bucketName }) },
    cells: plan.cells.map((cell) => cellFunction(cell.id, deployed.functions)),
    order: plan.blocks.map(({ trials }) =>
      trials.map((trial) => indexOf.get(trial.cellId) as number),
    ),
    inlineBlocks,
    blockCount: smallestPlan(plan).blocks.length,
    ...(plan.stopping !== undefined && { isUntilPrecise: true }),
  };
}

function cellFunction(cellId: string, functions: Readonly<Record<string, string>>): CellFunction {
  const functionName = functions[cellId];
  if (functionName === undefined) throw new Error(`the stack has no function for cell ${cellId}`);
  return { cellId, functionName };
}
