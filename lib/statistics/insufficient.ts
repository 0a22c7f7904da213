/** Too few values for what was asked: `needed` of them, `n` there were. Never a number in its place. */
export interface Insufficient {
  readonly kind: "insufficient";
  readonly needed: number;
  readonly n: number;
}

export function insufficient(needed: number, n: number): Insufficient {
  return { kind: "insufficient", needed, n };
}
