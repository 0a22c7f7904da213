import { buildProgress, type Progress } from "../bin/progress.ts";
import type { Machine } from "../lib/contract/types/contract.ts";
import { findCgroupRoot } from "../lib/local/cgroup.ts";
import { localArtefacts } from "../lib/local/local-functions.ts";
import { describeMachine, describeQuota, floorCell } from "../lib/local/machine.ts";
import { buildForLocalRun } from "../lib/toolchain/build-local.ts";
import type { Valgrind } from "../lib/toolchain/valgrind.ts";
import type { Columns } from "./comparison-text.ts";
import { figuresOf } from "./figures.ts";
import { compared, defaultVariant, measure, pythonVariant, tunedVariant } from "./measure.ts";

export interface MeasuredColumns {
  readonly columns: Columns;
  readonly machine: Machine;
}

/** Builds and measures the compared variants, and computes the figure of every quantity. */
export async function measuredColumns(
  valgrind: Valgrind,
  progress: Progress,
): Promise<MeasuredColumns> {
  const machine = describeMachine(findCgroupRoot());
  progress.say(`the first request, default build against tuned; ${describeQuota(machine)}`);
  await buildForLocalRun(compared.variants, {
    services: ["dynamodb"],
    onStep: buildProgress(progress),
  });
  let recorded = 0;
  const samples = await measure(valgrind, ({ cell, phase, instructions }) => {
    recorded += 1;
    const how = instructions === undefined ? "timed" : "counted";
    progress.show(`${recorded} samples (${cell.id} ${phase}, ${how})`);
  });
  progress.end();
  const artefacts = localArtefacts(compared.variants);
  const figures = (variant: string) => {
    const artefact = artefacts.find((candidate) => candidate.variant === variant);
    const own = samples.filter(({ cell }) => cell.variant === variant);
    return figuresOf({ samples: own, ...(artefact !== undefined && { artefact }) });
  };
  const columns: Columns = {
    usual: figures(defaultVariant),
    tuned: figures(tunedVariant),
    python: figures(pythonVariant),
    rig: figures(floorCell.variant),
  };
  return { columns, machine };
}
