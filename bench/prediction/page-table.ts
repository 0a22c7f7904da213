/** figure returns three significant digits, and no exponent. */
export function figure(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** row returns a line of a Markdown table. */
export function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
