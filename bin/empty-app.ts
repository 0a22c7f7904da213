import { App, Stack } from "aws-cdk-lib";
import { parseStackName } from "../lib/infra/stack-context.ts";

// The CDK deletes a stack by its name: CloudFormation knows its contents.
// The CDK's rules would find nothing to check in it, and cost seconds.
const app = new App({ builtinCloudFormationValidation: false });
new Stack(app, parseStackName(app.node.tryGetContext("stack")));
