import type { Manifest } from "../../contract/types/contract.ts";
import { originGroups, originText } from "../collect/origins.ts";
import type { OneRun } from "./compare-runs.ts";

/** Something that was not the same in both runs; absent where a run does not say. */
export interface Difference {
  readonly what: string;
  readonly before?: string;
  readonly after?: string;
}

type Condition = readonly [what: string, value: string | undefined];

/** What of the conditions may explain a change, or make the runs a comparison of two things. */
export function differingConditions(before: OneRun, after: OneRun): readonly Difference[] {
  const [earlier, later] = [conditionsOf(before), conditionsOf(after)];
  const names = [...new Set([...earlier.keys(), ...later.keys()])];
  return names
    .filter((what) => earlier.get(what) !== later.get(what))
    .map((what) => ({ what, ...told("before", earlier, what), ...told("after", later, what) }));
}

function told<Side extends "before" | "after">(
  side: Side,
  conditions: ReadonlyMap<string, string>,
  what: string,
): { readonly [Key in Side]?: string } {
  const value = conditions.get(what);
  return value === undefined ? {} : ({ [side]: value } as { readonly [Key in Side]: string });
}

function conditionsOf({ plan, manifest, samples }: OneRun): ReadonlyMap<string, string> {
  const { environments, warmEnvironments, warmCalls } = plan.sizes;
  const entries: readonly Condition[] = [
    ["status", manifest.status],
    ["region", manifest.region],
    ["environments", `${environments} cold, ${warmEnvironments} x ${warmCalls} warm`],
    ["cells", String(plan.cells.length)],
    ...machineOf(manifest),
    ...versionsOf(manifest),
    ...artefactsOf(manifest),
    ...originGroups(samples.origins.all()).map((group) => [group.name, originText(group)] as const),
  ];
  return new Map(entries.flatMap(([what, value]) => (value === undefined ? [] : [[what, value]])));
}

function versionsOf({ versions }: Pick<Manifest, "versions">): readonly Condition[] {
  return Object.entries(versions).map(([name, version]) => [`version of ${name}`, version]);
}

function machineOf({ machine }: Pick<Manifest, "machine">): readonly Condition[] {
  if (machine === undefined) return [];
  return [
    ["CPU model", machine.cpuModel],
    ["CPUs", String(machine.cpus)],
    ["operating system", machine.os],
    ["CPU quota", machine.cpuQuota],
    ["transport", machine.transport],
    ["network profile", machine.networkProfile],
  ];
}

function artefactsOf({ artefacts }: Pick<Manifest, "artefacts">): readonly Condition[] {
  return artefacts.flatMap(({ variant, architecture, sha256 }) =>
    sha256 === undefined ? [] : [[`artefact ${variant} (${architecture})`, sha256.slice(0, 12)]],
  );
}
