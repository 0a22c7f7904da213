import { App, Stack } from "aws-cdk-lib";
import { parseStackName } from "../lib/infra/stack-context.ts";

// The CDK deletes a stack by its name: what is in it, CloudFormation knows.
// CDK's rules have nothing to find in it, and cost seconds.
const app = new App({ builtinCloudFormationValidation: false });
new Stack(app, parseStackName(app.node.tryGetContext("stack")));
