const longestMessage = 300;

/** A function's error may hold a whole stack: the data has it in full. */
export function clipped(text: string): string {
  return text.length <= longestMessage ? text : `${text.slice(0, longestMessage)} …`;
}
