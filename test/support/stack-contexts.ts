import type { Template } from "aws-cdk-lib/assertions";
import { experiments } from "../../lib/experiments/catalogue.ts";
import { synthTemplate } from "./synth.ts";

/** The CDK context of a deploy, by what is asked for: what holds of the stack holds with each. */
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
};

/** The template that a context gives. */
export function templateOf(name: string): Template {
  const context = stackContexts[name];
  if (context === undefined) throw new Error(`no context of the name ${name}`);
  return synthTemplate(context);
}
