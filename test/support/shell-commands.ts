/** Returns the commands in a page's shell blocks in their order, without comments. */
export function shellCommands(markdown: string): readonly string[] {
  const blocks = [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
  return blocks
    .flatMap((text) => text.replaceAll(/\\\n\s*/g, "").split(/\n|&&/))
    .map((text) => text.replace(/ #.*$/, "").trim())
    .filter((text) => text !== "");
}
