import { ArnFormat, Stack } from "aws-cdk-lib";
import { type IRole, Policy, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  DefinitionBody,
  QueryLanguage,
  StateMachine,
  StateMachineType,
} from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { type RunDefinitionProps, runDefinition } from "./run-definition.ts";

/**
 * The state machine of a run. It keeps its history, and no log: delivering one needs permissions on
 * every log group of the account (logs:CreateLogDelivery and six more take no resource), see
 * https://docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html
 */
export class Conductor extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, props: RunDefinitionProps) {
    super(scope, id);
    const role = new Role(this, "Role", {
      description: "Kelvin's state machine",
      assumedBy: new ServicePrincipal("states.amazonaws.com"),
    });
    this.stateMachine = new StateMachine(this, "StateMachine", {
      comment: "Kelvin: measures Lambda functions cold and warm. Start it with {}",
      stateMachineType: StateMachineType.STANDARD,
      queryLanguage: QueryLanguage.JSONATA,
      definitionBody: DefinitionBody.fromChainable(runDefinition(this, props)),
      // The constructs' own grants would add every version of the drivers.
      role: role.withoutPolicyUpdates(),
    });
    new Policy(this, "Policy", { roles: [role], statements: this.#statements(props) });
    this.#allowLookingAtExecutions(props.driver.roleOf("plan"));
  }

  /**
   * The state Plan asks whether another execution is running. A policy of its own, on which no function
   * waits: the state machine needs the function, and this needs the state machine.
   */
  #allowLookingAtExecutions(role: IRole): void {
    const actions = ["states:DescribeExecution"];
    const statement = new PolicyStatement({ actions, resources: [this.#executionsArn] });
    new Policy(this, "ExecutionsPolicy", { roles: [role], statements: [statement] });
  }

  /** The name is taken out of the ARN: LocalEmu forgets the attribute Name when it updates a stack. */
  get #executionsArn(): string {
    return this.#executionsOf("");
  }

  /** Of the distributed Map: their names begin with the Map's label. */
  get #childExecutionsArn(): string {
    return this.#executionsOf("/*");
  }

  #executionsOf(children: string): string {
    const stack = Stack.of(this);
    const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
    const { resourceName } = stack.splitArn(this.stateMachine.stateMachineArn, arnFormat);
    const resource = `execution:${resourceName}${children}`;
    return stack.formatArn({ service: "states", resource, arnFormat, resourceName: "*" });
  }

  /** https://docs.aws.amazon.com/step-functions/latest/dg/iam-policies-eg-dist-map.html */
  #statements({ driver }: RunDefinitionProps): PolicyStatement[] {
    const { stateMachineArn } = this.stateMachine;
    return [
      new PolicyStatement({
        actions: ["lambda:InvokeFunction"],
        resources: driver.all.map((handler) => handler.functionArn),
      }),
      new PolicyStatement({ actions: ["states:StartExecution"], resources: [stateMachineArn] }),
      new PolicyStatement({
        actions: ["states:DescribeExecution", "states:StopExecution"],
        resources: [this.#executionsArn],
      }),
      // An execution that is redriven redrives the children that did not succeed.
      // https://docs.aws.amazon.com/step-functions/latest/dg/redrive-map-run.html#maprun-iam-permission
      new PolicyStatement({
        actions: ["states:RedriveExecution"],
        resources: [this.#childExecutionsArn],
      }),
    ];
  }
}
