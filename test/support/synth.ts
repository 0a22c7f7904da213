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

/** That stack's template, synthesised once for all test workers: to be read, not to be changed. */
export function synthTemplate(context: Readonly<Record<string, unknown>> = {}): Template {
  const key = JSON.stringify(context);
  const template = templates.get(key) ?? sharedTemplate(key, context);
  templates.set(key, template);
  return template;
}

/** A worker that needs it at the same moment may synthesise it, too: the file appears as a whole. */
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
