import { GetFunctionCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import type { Artefact, Cell } from "../contract/types/contract.ts";

/** What Lambda runs of each variant and architecture: CodeSha256 and CodeSize of one of its functions. */
export async function functionArtefacts(
  client: LambdaClient,
  cells: readonly Cell[],
  functionName: (cell: Cell) => string,
): Promise<readonly Artefact[]> {
  const firstOfEach = new Map<string, Cell>();
  for (const cell of cells) {
    const key = `${cell.variant} ${cell.architecture}`;
    if (!firstOfEach.has(key)) firstOfEach.set(key, cell);
  }
  const artefacts: Artefact[] = [];
  for (const cell of firstOfEach.values()) {
    const FunctionName = functionName(cell);
    const { Configuration } = await client.send(new GetFunctionCommand({ FunctionName }));
    const { CodeSha256: sha256, CodeSize: zipBytes } = Configuration ?? {};
    artefacts.push({
      variant: cell.variant,
      architecture: cell.architecture,
      ...(sha256 !== undefined && { sha256 }),
      ...(zipBytes !== undefined && { zipBytes }),
    });
  }
  return artefacts;
}
