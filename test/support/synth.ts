import { readFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { KelvinStack } from "../../lib/infra/kelvin-stack.ts";
import { type OwnFunctions, parseStackProps } from "../../lib/infra/stack-context.ts";
import { cdkOutdir } from "./cdk-outdir.ts";

const cdkJson = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "..", "cdk.json"), "utf8"),
) as { readonly context: Readonly<Record<string, unknown>> };

const nothingBuilt = { "aws:cdk:bundling-stacks": [] };

/**
 * The stack as `cdk synth -c name=value ...` has it, cdk.json's flags included, with nothing built.
 * @param isValidated by CDK's own rules, as `cdk synth` does: it costs a process seconds of CPU time,
 * and one test asks for it.
 */
export function synthStack(
  context: Readonly<Record<string, unknown>> = {},
  isValidated = false,
  functions?: OwnFunctions,
): KelvinStack {
  const app = new App({
    outdir: cdkOutdir(),
    context: { ...cdkJson.context, ...nothingBuilt, ...context },
    analyticsReporting: false,
    // Where each construct was made is in no template.
    stackTraces: false,
    // What cdk diff and the console's tree are made of costs a fifth of a synthesis.
    treeMetadata: false,
    builtinCloudFormationValidation: isValidated,
  });
  return new KelvinStack(
    app,
    "Kelvin",
    parseStackProps((name) => app.node.tryGetContext(name), functions),
  );
}

const templates = new Map<string, Template>();

/** That stack's template, synthesised once a test worker: to be read, not to be changed. */
export function synthTemplate(context: Readonly<Record<string, unknown>> = {}): Template {
  const key = JSON.stringify(context);
  const template = templates.get(key) ?? Template.fromStack(synthStack(context));
  templates.set(key, template);
  return template;
}
