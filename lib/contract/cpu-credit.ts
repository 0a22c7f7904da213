/** Lambda gives one vCPU at this memory: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
export const memoryMbPerVcpu = 1769;

/** How many vCPUs a memory size pays for; below one, a share of it. */
export function cpuCredit(memoryMb: number): number {
  return memoryMb / memoryMbPerVcpu;
}
