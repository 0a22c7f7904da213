import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { App, Stack } from "aws-cdk-lib";
import { CfnInclude } from "aws-cdk-lib/cloudformation-include";
import { AwsSolutionsChecks } from "cdk-nag";
import { cdkOutdir, temporaryFolder } from "./temporary-folder.ts";

export interface NagFinding {
  readonly rule: string;
  /** The resource's logical id without its hash. */
  readonly on: string;
}

/**
 * Returns the findings of cdk-nag's AwsSolutions rules. The template is read back as CloudFormation gets it: on the
 * constructs, the rules would miss overrides and CDK's own helpers.
 */
export function nagFindings(template: object): readonly NagFinding[] {
  const templateFile = join(temporaryFolder(), "template.json");
  writeFileSync(templateFile, JSON.stringify(template));
  const stack = new Stack(new App({ outdir: cdkOutdir() }), "Nag");
  new CfnInclude(stack, "Template", { templateFile });
  const { violations } = new AwsSolutionsChecks().validateScope(stack);
  return violations.flatMap(({ ruleName, violatingResources }) =>
    violatingResources.map(({ constructPath = "" }) => ({
      rule: ruleName.replaceAll(/[0-9A-F]{8}(?=[.>])/g, ""),
      on: constructPath.replace(/^.*\//, "").replace(/[0-9A-F]{8}$/, ""),
    })),
  );
}
