import {
  GetFunctionCommand,
  type LambdaClient,
  UpdateFunctionConfigurationCommand,
} from "@aws-sdk/client-lambda";

/** A function's memory size, and the revision that has it. */
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
 * Sets the memory size of a function's $LATEST and nothing else, where it still is the revision that was read;
 * Lambda refuses the update otherwise.
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
        ...{ FunctionName: name, MemorySize: memoryMb, RevisionId: revision },
      }),
    );
  } catch (error) {
    if ((error as Error).name !== "PreconditionFailedException") throw error;
    throw new Error(
      `${name} was changed by somebody else meanwhile: its memory size is left as it is`,
    );
  }
}
