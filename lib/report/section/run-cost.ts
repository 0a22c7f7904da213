import { serviceOf } from "../../contract/service-of.ts";
import { heading, paragraph, warning } from "../document/blocks.ts";
import type { Block } from "../document/document.ts";
import { count, number } from "../document/format-number.ts";
import type { ReportView } from "../view/report-view.ts";

/** What it cost to measure this. */
export function runCostSection(view: ReportView): readonly Block[] {
  return [heading(2, "What this run cost"), ...runCostBlocks(view)];
}

function runCostBlocks({ runCost, manifest, plan }: ReportView): readonly Block[] {
  if (runCost === undefined) return [paragraph(`Nothing: ${manifest.target}.`)];
  if (runCost.kind === "price-absent") {
    const fields = runCost.missing.join(", ");
    return [warning(`It is not known: no price of ${fields} in ${runCost.region}.`)];
  }
  const { functionsUsd, billed, withoutBill, dataUsd, pricesDate, pricesRegion } = runCost;
  const short =
    withoutBill === 0
      ? ""
      : ` ${count(withoutBill)} more have no Billed Duration and are not in it.`;
  const data = dataText(plan, dataUsd);
  const { estimate } = plan;
  const planned =
    estimate === undefined
      ? ""
      : ` The estimate before the run, driver and state machine included, was ${plan.stopping === undefined ? "" : "at most "}${dollars(estimate.costUsd)} USD.`;
  return [
    paragraph(
      `Measured functions: ${dollars(functionsUsd)} USD for ${count(billed)} invocations, rejected ones included (prices of ${pricesRegion}, ${pricesDate}; free tier left out).${short} ${data} The driver and the state machine are in no sample and come on top.${planned}`,
    ),
  ];
}

function dataText(plan: ReportView["plan"], dataUsd: number | undefined): string {
  const service = serviceOf(plan) ?? "DynamoDB";
  return dataUsd === undefined
    ? `${service}'s requests are not priced in this region's table.`
    : `${service}'s requests: ${dollars(dataUsd)} USD.`;
}

function dollars(value: number): string {
  return number(value, value >= 1 ? 2 : 6);
}
