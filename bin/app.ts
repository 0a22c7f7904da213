import { App } from "aws-cdk-lib";
import { InvalidInput } from "../lib/contract/errors.ts";
import { openFunctionsForAws } from "../lib/functions/functions-for-aws.ts";
import { listLifecycleNotes } from "../lib/functions/runtime-lifecycle.ts";
import { KelvinStack } from "../lib/infra/kelvin-stack.ts";
import {
  parseFunctionsPath,
  parsePricesPath,
  parseStackName,
  parseStackProps,
  requireFunctionsFile,
  requireKnownContext,
} from "../lib/infra/stack-context.ts";
import { keepEnvironmentFor } from "../lib/toolchain/command-environment.ts";
import { isRepository } from "../lib/toolchain/project-paths.ts";
import { pathWithVenv } from "../lib/toolchain/rust-build.ts";
import { CargoLambdaMissing } from "../lib/toolchain/rust-toolchain.ts";
import { readPrices } from "./run/cost-basis.ts";

// The CDK's command needs the caller's whole environment for its credentials; builds do not.
keepEnvironmentFor("cdkApp");
// The construct that builds the Rust functions finds cargo-lambda by PATH.
process.env.PATH = pathWithVenv();

const app = new App();
try {
  const read = (name: string) => app.node.tryGetContext(name);
  // An unknown context key is refused before anything is built.
  requireKnownContext(Object.keys(app.node.getAllContext()));
  if (!isRepository) requireFunctionsFile(read);
  const path = parseFunctionsPath(read("functions"));
  const pricesPath = parsePricesPath(read("prices"));
  const functions = path === undefined ? undefined : await openFunctionsForAws(path);
  new KelvinStack(app, parseStackName(read("stack")), {
    ...parseStackProps(read, functions),
    ...(pricesPath !== undefined && { prices: readPrices(pricesPath) }),
  });
  const runtimes = functions?.experiment.variants.map(({ runtime }) => runtime) ?? [];
  for (const note of [...(functions?.notes ?? []), ...listLifecycleNotes(runtimes)]) {
    process.stderr.write(`${note}\n`);
  }
} catch (error) {
  const isForTheReader = error instanceof InvalidInput || error instanceof CargoLambdaMissing;
  if (!isForTheReader) throw error;
  process.stderr.write(`kelvin: ${error.message}\n`);
  process.exit(1);
}
