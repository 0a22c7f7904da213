/** On every resource that takes tags. */
export const projectTag = { key: "project", value: "kelvin" } as const;

/**
 * On the functions that the stack's drivers may read, update and invoke, and on nothing else. Its value is
 * the stack's id, which no other stack has: with the tag in a policy's condition, the policy is of the same
 * size however large the matrix is (docs/decisions/0024-the-drivers-know-functions-by-a-tag.md).
 */
export const measuredByTag = "kelvin-measured-by";
