import { Template } from "aws-cdk-lib/assertions";
import { experiments } from "../../lib/experiments/catalogue.ts";
import { openFunctionsForAws } from "../../lib/functions/functions-for-aws.ts";
import type { KelvinStack } from "../../lib/infra/kelvin-stack.ts";
import { functionsFolder } from "./functions-file.ts";
import { synthStack, synthTemplate } from "./synth.ts";

const ownFunctions = "a user's functions";

/** CDK contexts of a deployment, by what is requested. Rules about the stack must hold for each. */
export const stackContexts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "no context": {},
  "two architectures": { architectures: "arm64,x86_64" },
  "x86_64 alone": { architectures: "x86_64" },
  "a new account's memory": { maxMemory: "3008" },
  "kept results": { keepResults: "true" },
  "a permissions boundary and a role path": {
    permissionsBoundary: "Boundary",
    rolePath: "/bench/",
  },
  "every experiment": { experiments: experiments.map(({ id }) => id).join(",") },
  [ownFunctions]: { experiments: "compute" },
};

const functions = await openFunctionsForAws(functionsFolder().write());
const functionsTemplate = Template.fromStack(stackOf(ownFunctions));

/** Returns the stack for a context. @param isValidated by CDK's own rules */
export function stackOf(name: string, isValidated = false): KelvinStack {
  return synthStack(contextOf(name), isValidated, name === ownFunctions ? functions : undefined);
}

/** Returns the template for a context. */
export function templateOf(name: string): Template {
  return name === ownFunctions ? functionsTemplate : synthTemplate(contextOf(name));
}

function contextOf(name: string): Readonly<Record<string, string>> {
  const context = stackContexts[name];
  if (context === undefined) throw new Error(`no context of the name ${name}`);
  return context;
}
