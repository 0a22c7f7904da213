import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { inject } from "vitest";
import { KelvinStack } from "../../lib/infra/kelvin-stack.ts";
import { type OwnFunctions, parseStackProps } from "../../lib/infra/stack-context.ts";
import { cdkOutdir } from "./temporary-folder.ts";

const cdkJson = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "..", "cdk.json"), "utf8"),
) as { readonly context: Readonly<Record<string, unknown>> };

const nothingBuilt = { "aws:cdk:bundling-stacks": [] };

/**
 * Returns the stack of `cdk synth -c name=value ...`, with cdk.json's flags but without building anything.
 * @param isValidated by CDK's own rules, like `cdk synth`: this costs a process seconds of CPU time, so only one test
 * does it
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
    // Templates do not contain where constructs were created.
    stackTraces: false,
    // This metadata, for cdk diff and the console's tree, takes a fifth of a synthesis.
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

/** Returns that stack's template, synthesised once for all test workers. Tests must not modify it. */
export function synthTemplate(context: Readonly<Record<string, unknown>> = {}): Template {
  const key = JSON.stringify(context);
  const template = templates.get(key) ?? sharedTemplate(key, context);
  templates.set(key, template);
  return template;
}

/** Several workers may synthesise the same template at once, so the file is written atomically. */
function sharedTemplate(key: string, context: Readonly<Record<string, unknown>>): Template {
  const name = createHash("sha256").update(key).digest("hex");
  const path = join(inject("temporaryRoot"), `template-${name}.json`);
  if (existsSync(path)) return Template.fromString(readFileSync(path, "utf8"));
  const template = Template.fromStack(synthStack(context));
  const own = `${path}-${process.pid}`;
  writeFileSync(own, JSON.stringify(template.toJSON()));
  renameSync(own, path);
  return template;
}
