import { delimiter, join } from "node:path";
import { App } from "aws-cdk-lib";
import { InvalidInput } from "../lib/contract/errors.ts";
import { KelvinStack } from "../lib/infra/kelvin-stack.ts";
import { CargoLambdaMissing } from "../lib/infra/require-cargo-lambda.ts";
import { stackPropsOf } from "../lib/infra/stack-context.ts";

// cargo-lambda and zig live in the project's virtual environment; the Rust build finds them by PATH.
const venvBin = join(import.meta.dirname, "..", ".venv", "bin");
process.env.PATH = [venvBin, process.env.PATH ?? ""].join(delimiter);

const app = new App();
try {
  const props = stackPropsOf((name) => app.node.tryGetContext(name));
  new KelvinStack(app, "Kelvin", props);
} catch (error) {
  const isForTheReader = error instanceof InvalidInput || error instanceof CargoLambdaMissing;
  if (!isForTheReader) throw error;
  process.stderr.write(`kelvin: ${error.message}\n`);
  process.exit(1);
}
