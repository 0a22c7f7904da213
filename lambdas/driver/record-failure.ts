import { S3Recorder } from "../../lib/aws/s3-result-store.ts";
import type { RecordFailureRequest } from "../../lib/run/messages.ts";
import { causeMessage } from "./cause-message.ts";
import { awsPorts, type DriverPorts, resultStore } from "./ports.ts";

/** Records a trial whose driver could not do so itself: it crashed, timed out or was not started. */
export const handler = (request: RecordFailureRequest) => recordFailure(request, awsPorts());

export async function recordFailure(
  { folder, cellId, block, error, cause }: RecordFailureRequest,
  ports: DriverPorts,
): Promise<{ readonly cellId: string }> {
  const recorder = new S3Recorder(resultStore(ports, folder));
  await recorder.failure({ cellId, block, type: error, message: `driver: ${causeMessage(cause)}` });
  return { cellId };
}
