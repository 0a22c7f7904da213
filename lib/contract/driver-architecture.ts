import type { Cell } from "./types/contract.ts";

type Architecture = Cell["architecture"];

/**
 * Of the functions that drive a run: arm64, which costs less, unless no cell has it. Then the region
 * may not have it either, and CloudFormation would refuse the drivers:
 * https://docs.aws.amazon.com/lambda/latest/dg/foundation-arch.html
 */
export function driverArchitecture(
  cells: readonly { readonly architecture: Architecture }[],
): Architecture {
  return cells.some(({ architecture }) => architecture === "arm64") ? "arm64" : "x86_64";
}
