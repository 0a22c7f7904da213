import { InvalidInput } from "../contract/errors.ts";

/** What an installed package says of Kelvin's own experiments. */
export const needsRepository =
  "Kelvin's own experiments are built in its repository: clone it, then run npm ci and npm run kelvin -- deploy";

/** Throws InvalidInput where CDK context asks for what an installed package has no sources of. */
export function requireFunctionsFile(read: (name: string) => unknown): void {
  const [experiments = "", functions = ""] = ["experiments", "functions"].map(read);
  if (experiments !== "") {
    throw new InvalidInput("context experiments", experiments, `none; ${needsRepository}`);
  }
  if (functions === "") {
    throw new InvalidInput("context functions", undefined, `a functions file; ${needsRepository}`);
  }
}
