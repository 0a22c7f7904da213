import type { Estimate } from "../contract/types/contract.ts";

/** What AWS Config may add to a run's bill, and how to keep it from that; nothing of a run off AWS. */
export function describeConfigurationItems({
  configurationItems,
  configurationItemsUsd,
}: Estimate): readonly string[] {
  if (configurationItems === undefined) return [];
  const usd =
    configurationItemsUsd === undefined
      ? "at a price that is not known"
      : `${configurationItemsUsd.toFixed(2)} USD`;
  return [
    `where it records continuously, ${configurationItems} configuration items, ${usd} beside the cost: ` +
      "exclude the resource type AWS::Lambda::Function from its recorder",
  ];
}
