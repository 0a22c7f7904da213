import type { Cell, Estimate, Plan } from "../../lib/contract/types/contract.ts";
import { plannedSamples } from "../../lib/experiment/expand.ts";

export type EstimatedPlan = Plan & { readonly estimate: Estimate };

/** A plan for a reader: what would be deployed and invoked, and what that would take. */
export function planText(plan: EstimatedPlan): string {
  const { sizes, cells, estimate } = plan;
  const warm =
    sizes.warmEnvironments === 0
      ? "no warm calls"
      : `${sizes.warmEnvironments} of them warm: ${sizes.warmCalls} calls of each of ${plan.warmOperations.join(", ")} (the first ${sizes.discardedCalls} discarded)`;
  return [
    row("experiment", `${plan.experiment}, preset ${plan.preset}`),
    row("cells", `${cells.length}, each a function of its own`),
    ...matrixRows(cells),
    row("a cell", `${sizes.environments} new environments, ${warm}`),
    row("samples", plannedSamples(plan)),
    ...estimateRows(estimate, plan.lanes),
    ...plan.warnings.map((warning) => row("warning", warning)),
  ].join("\n");
}

/** What a run of all the plans together would take. */
export function sumText(plans: readonly Plan[], estimate: Estimate): string {
  const cells = plans.reduce((sum, plan) => sum + plan.cells.length, 0);
  const samples = plans.reduce((sum, plan) => sum + plannedSamples(plan), 0);
  const lanes = Math.max(...plans.map((plan) => plan.lanes));
  return [
    row("all", `${plans.length} experiments in one run`),
    row("cells", cells),
    row("samples", samples),
    ...estimateRows(estimate, lanes),
  ].join("\n");
}

function estimateRows(estimate: Estimate, lanes: number): readonly string[] {
  const { invocations, transitions, minutes, costUsd, pricesDate, pricesRegion } = estimate;
  const where = lanes === 1 ? "1 lane" : `${lanes} lanes`;
  return [
    row("invocations", `${invocations} of the measured functions`),
    row("transitions", `${transitions} of the state machine`),
    row("time", `about ${minutes.toFixed(1)} minutes in ${where}`),
    row("cost", `about ${dollars(costUsd)} USD at the prices of ${pricesDate} in ${pricesRegion}`),
  ];
}

/** One row for each variant and architecture, with its memory sizes; the twin has a row of its own. */
function matrixRows(cells: readonly Cell[]): readonly string[] {
  const width = Math.max(...cells.map(({ variant }) => variant.length));
  const rows = new Map<string, Cell[]>();
  for (const cell of cells) {
    const key = JSON.stringify([cell.variant, cell.architecture, cell.twinOf]);
    rows.set(key, [...(rows.get(key) ?? []), cell]);
  }
  return [...rows.values()].map((alike) => row("", matrixRow(alike, width)));
}

function matrixRow(alike: readonly Cell[], width: number): string {
  const { variant = "", architecture = "", twinOf } = alike[0] ?? {};
  const sizes = alike.map(({ memoryMb, workers }) =>
    workers === undefined
      ? `${memoryMb}`
      : `${memoryMb} (${workers} ${workers === 1 ? "worker" : "workers"})`,
  );
  const twin = twinOf === undefined ? "" : `, the A/A twin of ${twinOf}`;
  const name = `${variant.padEnd(width)}  ${architecture.padEnd("x86_64".length)}`;
  return `${name}  ${sizes.join(", ")} MB${twin}`;
}

function row(name: string, value: string | number): string {
  return `${name.padEnd(13)}${value}`;
}

/** Cents, or as many digits as a smaller amount needs: no run is told to cost nothing. */
function dollars(amountUsd: number): string {
  return amountUsd >= 0.1 ? amountUsd.toFixed(2) : amountUsd.toPrecision(2);
}
