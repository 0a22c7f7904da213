import {
  GetFunctionCommand,
  type LambdaClient,
  UpdateFunctionConfigurationCommand,
} from "@aws-sdk/client-lambda";

/** A function's memory size, and the revision that it belongs to. */
interface MemorySize {
  readonly memoryMb: number;
  readonly revision: string;
}

/** https://docs.aws.amazon.com/lambda/latest/api/API_GetFunction.html */
export async function readMemorySize(client: LambdaClient, name: string): Promise<MemorySize> {
  const { Configuration } = await client.send(new GetFunctionCommand({ FunctionName: name }));
  const { MemorySize: memoryMb, RevisionId: revision } = Configuration ?? {};
  if (memoryMb !== undefined && revision !== undefined) return { memoryMb, revision };
  throw new Error(`GetFunction returned no memory size for ${name}`);
}

/**
 * Sets only the memory size of a function's $LATEST. Lambda refuses the update if the revision has changed since it
 * was read.
 * https://docs.aws.amazon.com/lambda/latest/api/API_UpdateFunctionConfiguration.html
 */
export async function setMemorySize(
  client: LambdaClient,
  name: string,
  { memoryMb, revision }: MemorySize,
): Promise<void> {
  try {
    await client.send(
      new UpdateFunctionConfigurationCommand({
        FunctionName: name,
        MemorySize: memoryMb,
        RevisionId: revision,
      }),
    );
  } catch (error) {
    if ((error as Error).name !== "PreconditionFailedException") throw error;
    throw new Error(
      `${name} was changed by somebody else meanwhile: its memory size is left as it is`,
    );
  }
}
