/** Memory size with one vCPU: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
export const memoryMbPerVcpu = 1769;

/** Returns the number of vCPUs of a memory size; fractional. */
export function cpuCredit(memoryMb: number): number {
  return memoryMb / memoryMbPerVcpu;
}
