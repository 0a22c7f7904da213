import { App, Stack } from "aws-cdk-lib";
import { parseStackName } from "../lib/infra/stack-context.ts";

// The CDK deletes a stack by name, since CloudFormation knows its contents. Validation would find nothing to check in
// an empty stack, and take seconds.
const app = new App({ builtinCloudFormationValidation: false });
new Stack(app, parseStackName(app.node.tryGetContext("stack")));
