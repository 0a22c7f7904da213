import { cpus, release, totalmem, type } from "node:os";
import type { Machine } from "../contract/types/contract.ts";
import type { CgroupRoot } from "./cgroup.ts";

/** This machine, as the report describes it. */
export function describeMachine(root: CgroupRoot | undefined): Machine {
  const processors = cpus();
  return {
    os: `${type()} ${release()}`,
    cpuModel: processors[0]?.model.trim() || "unknown",
    cpus: Math.max(1, processors.length),
    memoryMb: Math.round(totalmem() / 1024 / 1024),
    cpuQuota: root?.kind ?? "unthrottled",
    memoryLimit: root?.memory === undefined ? "unlimited" : root.kind,
  };
}

/** The first line of a local run: whether functions get Lambda's share of a CPU here. */
export function describeQuota(machine: Machine): string {
  if (machine.cpuQuota === "unthrottled") {
    return "cpu: unthrottled (no cgroup can be written here: memory sizes do not differ in CPU)";
  }
  const memory =
    machine.memoryLimit === "unlimited" ? "memory unlimited" : "memory limited likewise";
  return `cpu: memoryMb/1769 of one after Init by ${machine.cpuQuota}; ${memory}`;
}
