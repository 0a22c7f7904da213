/** Lambda gives one vCPU at this memory: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
export const memoryMbPerVcpu = 1769;

/** Number of vCPUs that a memory size pays for; fractional below one. */
export function cpuCredit(memoryMb: number): number {
  return memoryMb / memoryMbPerVcpu;
}
