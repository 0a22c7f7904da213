import { App, Stack } from "aws-cdk-lib";
import { stackName } from "../lib/infra/stack-context.ts";

// The CDK deletes a stack by its name: what is in it, CloudFormation knows.
// CDK's rules have nothing to find in it, and cost seconds.
new Stack(new App({ builtinCloudFormationValidation: false }), stackName);
