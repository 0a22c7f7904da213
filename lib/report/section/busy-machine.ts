import { type NoiseFinding, noiseFinding } from "../../analysis/machine-noise.ts";
import type { Manifest } from "../../contract/types/contract.ts";
import { speedChangeOf } from "../../prediction/machine-speed.ts";
import { type Note, strong, warning } from "../document/document.ts";
import { number, percent, plural } from "../document/format.ts";

/** Warns if the machine was busy: other work affects every figure. */
export function busyNote(manifest: Pick<Manifest, "noise" | "machine">): readonly Note[] {
  const finding = noiseFinding(manifest);
  if (finding?.isBusy !== true) return [];
  const { load } = finding;
  return [
    warning(
      [
        strong(`This machine was busy (${takenText(finding)}).`),
        ` Don't rely on small differences (--wait-for-quiet helps).${load === undefined ? "" : ` Load: ${number(load, 1)}.`}`,
      ],
      "busy machine",
    ),
  ];
}

/** Least change at which a machine has no single speed. Probes of a steady machine differ by less than 1.15. */
const leastChange = 1.25;

/** Warns if the machine itself became faster or slower. Ratios suffer less: they compare calls made close together. */
export function speedNote(manifest: Pick<Manifest, "speed" | "noise">): readonly Note[] {
  const change = speedChangeOf(manifest);
  if (change === undefined || change < leastChange) return [];
  const varied = `speed varied up to ${number(change, 1)}×`;
  return [
    warning(
      [strong(`Machine ${varied} in this run: trust ratios over times.`)],
      `machine ${varied}`,
    ),
  ];
}

/** Returns `others took 1.3 of its 2 CPUs, 1.8 at most`. */
function takenText({ cpus, takenCpus, mostTakenCpus }: NoiseFinding): string {
  const most =
    number(mostTakenCpus, 1) === number(takenCpus, 1)
      ? ""
      : `, ${number(mostTakenCpus, 1)} at most`;
  return `others took ${number(takenCpus, 1)} of its ${plural(cpus, "CPU")}${most}`;
}

/** Returns `one quiet machine (others took 1% of its CPUs)`, or `one machine` if it was busy or its load was not read. */
export function machineText(manifest: Pick<Manifest, "noise" | "machine">): string {
  const finding = noiseFinding(manifest);
  if (finding === undefined || finding.isBusy) return "one machine";
  return `one quiet machine (others took ${percent(finding.takenCpus / finding.cpus)} of its CPUs)`;
}
