/** A resource that the stack's template declares but that no longer exists. */
export interface MissingResource {
  readonly kind: "function" | "table" | "bucket";
  readonly name: string;
}

/** The states of the state machine that fail without the resource. */
const steps = {
  function: "the steps Try functions, Measure and Restore need it",
  table: "the step Seed writes its items, and the functions that Measure calls read them",
  bucket: "the step Seed writes its objects, and the functions that Measure calls read them",
} as const;

/**
 * CloudFormation recreates a resource that was deleted outside of it only with a drift-aware change set. Any other
 * deploy of an unchanged template changes nothing.
 * https://aws.amazon.com/blogs/devops/safely-handle-configuration-drift-with-cloudformation-drift-aware-change-sets
 */
const remedy =
  "kelvin deploy --revert-drift, with the options of the first deploy, creates it anew";

/** Returns a sentence that names the missing resources, the states that need them, and the remedy. */
export function deletedByHandText(missing: readonly MissingResource[]): string {
  const listed = missing.map(({ kind, name }) => `the ${kind} ${name} (${steps[kind]})`);
  const was = listed.length === 1 ? "was" : "were";
  return `${listed.join(", ")} ${was} deleted by hand; ${remedy}`;
}

/** Thrown if a call needs a resource of the stack that no longer exists. */
class DeletedByHand extends Error {
  override readonly name = "DeletedByHand";
}

/**
 * Converts a service's "not found" error to DeletedByHand; returns any other error unchanged.
 * https://docs.aws.amazon.com/lambda/latest/api/API_GetFunction.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
export function withDeletedByHand(error: unknown, resource: MissingResource): unknown {
  const { name } = Object(error) as Error;
  const isAbsent = name === "ResourceNotFoundException" || name === "NoSuchBucket";
  return isAbsent ? new DeletedByHand(deletedByHandText([resource])) : error;
}
