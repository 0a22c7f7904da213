import type { QuantityName } from "../collect/quantities.ts";

const names: Readonly<Record<string, string>> = {
  initDurationMs: "Init",
  durationMs: "Duration",
  initAndDurationMs: "Init + first Duration",
  billedDurationMs: "Billed Duration",
  sdkCallMs: "SDK call",
  initCpuMs: "CPU time of Init",
  invocationCpuMs: "CPU time of the invocation",
};

/** A quantity for a reader. */
export function quantityName(quantity: QuantityName): string {
  return names[quantity] ?? quantity;
}
