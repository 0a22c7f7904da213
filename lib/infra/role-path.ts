import { CfnResource, type IAspect } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/** Gives every role of a tree the IAM path that an account may demand, the roles of CDK's own helpers too. */
export class RolePath implements IAspect {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  visit(node: IConstruct): void {
    if (node instanceof CfnResource && node.cfnResourceType === "AWS::IAM::Role") {
      node.addPropertyOverride("Path", this.#path);
    }
  }
}
