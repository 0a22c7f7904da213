import { delimiter, join } from "node:path";
import { App } from "aws-cdk-lib";
import { KelvinStack } from "../lib/infra/kelvin-stack.ts";
import { stackPropsOf } from "../lib/infra/stack-context.ts";

// cargo-lambda and zig live in the project's virtual environment; the Rust build finds them by PATH.
const venvBin = join(import.meta.dirname, "..", ".venv", "bin");
process.env.PATH = [venvBin, process.env.PATH ?? ""].join(delimiter);

const app = new App();
new KelvinStack(
  app,
  "Kelvin",
  stackPropsOf((name) => app.node.tryGetContext(name)),
);
