/** Memory sizes of the functions behind the states, MB. None is above what a new account allows. */
export const driverMemoryMb = {
  plan: 512,
  seed: 256,
  measure: 256,
  precision: 1769,
  "record-failure": 256,
  restore: 256,
  report: 1769,
  overview: 1024,
} as const;
