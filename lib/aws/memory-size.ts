import {
  GetFunctionCommand,
  type LambdaClient,
  UpdateFunctionConfigurationCommand,
} from "@aws-sdk/client-lambda";
import { defined } from "../contract/defined.ts";

/** A function's memory size, and the revision that it belongs to. */
export interface MemorySize {
  readonly memoryMb: number;
  readonly revision: string;
  /** Absent if they could not be read: Lambda gives them only to callers who may call ListTags. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** https://docs.aws.amazon.com/lambda/latest/api/API_GetFunction.html */
export async function readMemorySize(client: LambdaClient, name: string): Promise<MemorySize> {
  const { Configuration, Tags, TagsError } = await client.send(
    new GetFunctionCommand({ FunctionName: name }),
  );
  const { MemorySize: memoryMb, RevisionId: revision } = Configuration ?? {};
  const tags = TagsError === undefined ? (Tags ?? {}) : undefined;
  if (memoryMb !== undefined && revision !== undefined) {
    return { memoryMb, revision, ...defined({ tags }) };
  }
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
