/** What the process ends with; --help lists them. */
export const exitCodes = {
  complete: 0,
  failed: 1,
  badInput: 2,
  partial: 3,
  interrupted: 130,
} as const;
