import { randomBytes } from "node:crypto";
import { cpus } from "node:os";
import { join } from "node:path";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { expand } from "../../lib/experiment/expand.ts";
import { withInstrumentedPart } from "../../lib/experiment/instrumented.ts";
import { matrix } from "../../lib/experiment/matrix.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { floorCell } from "../../lib/local/measure-floor.ts";
import {
  type RepresentableCells,
  representableCells,
} from "../../lib/local/representable-cells.ts";
import { folderOf } from "../../lib/protocol/run-folders.ts";
import type { CostWords } from "./cost-basis.ts";
import { networkChoice } from "./network-choice.ts";
import { newRunFolder, newRunName, type RunName } from "./new-run-folder.ts";
import { type ExperimentChoice, type RunWords, runChoices } from "./run-choice.ts";
import type { StoredRun } from "./stored-run.ts";

export interface NewRunWords extends RunWords {
  readonly out?: string;
  readonly instructions?: true;
  readonly network?: string;
}

/** A run that has not begun: nothing of it is written yet. */
export interface NewRun extends StoredRun {
  /** Experiments that were asked for and do not run, with the reason. */
  readonly leftOut: readonly string[];
}

/** A choice, and those of its cells that this machine can stand for. */
interface Represented extends RepresentableCells {
  readonly choice: ExperimentChoice;
}

/** The plans of a run, and where its files go. */
export function newRun(words: NewRunWords): NewRun {
  const { experiments, leftOut } = runChoices(words, randomBytes(4).readUInt32LE());
  const { represented, without } = representedOn(experiments, cpus().length);
  const ids = represented.map(({ choice }) => choice.experiment.id);
  const name = newRunName();
  const { runId } = name;
  const directory = newRunFolder(words.out, runId);
  const planned = represented.map((each) => {
    const folder = folderOf(each.choice.experiment.id, ids);
    const plan = planOf(each, words, name, ids.length > 1);
    return { folder, plan, store: new DiskResultStore(join(directory, folder)) };
  });
  return {
    runId,
    store: new DiskResultStore(directory),
    experiments: planned,
    leftOut: [...leftOut, ...without],
  };
}

function planOf(
  { choice, cells, leftOut }: Represented,
  words: NewRunWords,
  run: RunName,
  isOfSeveral: boolean,
): Plan {
  const { experiment } = choice;
  // Of several experiments only those with a network of their own are meant.
  const word = isOfSeveral && experiment.bucket === undefined ? undefined : words.network;
  const network = networkChoice(experiment, word);
  const expanded = {
    ...expand(experiment, cells, { ...choice, ...run, target: "local", lanes: 1 }),
    ...(network !== undefined && { network }),
  };
  const timed = leftOut.length === 0 ? expanded : { ...expanded, leftOut: [...leftOut] };
  return words.instructions === true ? withInstrumentedPart(timed) : timed;
}

/** Of several experiments one is left out, with the reason, where the machine is too small for it. */
function representedOn(
  choices: readonly ExperimentChoice[],
  machineCpus: number,
): { readonly represented: readonly Represented[]; readonly without: readonly string[] } {
  const represented: Represented[] = [];
  const without: string[] = [];
  let refusal: InvalidInput | undefined;
  for (const choice of choices) {
    const wanted = { ...choice, architectures: [floorCell.architecture] };
    const cells = matrix(choice.experiment, wanted);
    try {
      represented.push({ choice, ...representableCells(cells, machineCpus) });
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      refusal ??= error;
      without.push(`${choice.experiment.id} does not run: ${error.message}`);
    }
  }
  if (represented.length === 0 && refusal !== undefined) throw refusal;
  return { represented, without };
}

/** What `kelvin local` was told. */
export interface LocalWords extends NewRunWords, CostWords {
  readonly resume?: string;
  readonly json?: true;
  readonly plainHttp?: true;
}
