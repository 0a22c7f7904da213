import contract from "./engine-workload.json" with { type: "json" };

/** The 13 steps, in the order in which they must be made. The driver reads the same file. */
export const workload: readonly string[] = contract.steps;

/** Fifty small tests, one after another and four at a time. */
export const pipelines: readonly string[] = contract.pipelines;
