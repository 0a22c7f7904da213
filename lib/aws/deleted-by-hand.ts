/** A resource that the stack's template declares and that no longer exists. */
export interface MissingResource {
  readonly kind: "function" | "table" | "bucket";
  readonly name: string;
}

/** Who meets it in a run: the states of the state machine. */
const steps = {
  function: "the steps Try functions, Measure and Restore need it",
  table: "the step Seed writes its items, and the functions that Measure calls read them",
  bucket: "the step Seed writes its objects, and the functions that Measure calls read them",
} as const;

/**
 * CloudFormation makes anew what was deleted outside of it where a change set is aware of drift; to any other
 * deploy a template that has not changed is a stack that has not.
 * https://aws.amazon.com/blogs/devops/safely-handle-configuration-drift-with-cloudformation-drift-aware-change-sets
 */
const remedy =
  "kelvin deploy --revert-drift, with the options of the first deploy, creates it anew";

/** Says what is not there, which step of a run meets it, and what to do. */
export function deletedByHandText(missing: readonly MissingResource[]): string {
  const listed = missing.map(({ kind, name }) => `the ${kind} ${name} (${steps[kind]})`);
  const was = listed.length === 1 ? "was" : "were";
  return `${listed.join(", ")} ${was} deleted by hand; ${remedy}`;
}

/** A call met a resource of the stack that is not there. */
class DeletedByHand extends Error {
  override readonly name = "DeletedByHand";
}

/**
 * The error of a call on a resource, in those words where the service does not have it.
 * https://docs.aws.amazon.com/lambda/latest/api/API_GetFunction.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
export function withDeletedByHand(error: unknown, resource: MissingResource): unknown {
  const { name } = Object(error) as Error;
  const isAbsent = name === "ResourceNotFoundException" || name === "NoSuchBucket";
  return isAbsent ? new DeletedByHand(deletedByHandText([resource])) : error;
}
