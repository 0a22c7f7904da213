import type { Template } from "aws-cdk-lib/assertions";

/** A state of the Amazon States Language, with the fields that the interpreter supports. */
export interface AslState {
  readonly Type: "Task" | "Map" | "Choice" | "Pass" | "Fail" | "Succeed";
  readonly Comment?: string;
  readonly QueryLanguage?: "JSONata";
  readonly Next?: string;
  readonly End?: boolean;
  readonly Resource?: string;
  readonly Arguments?: unknown;
  readonly Output?: unknown;
  readonly Assign?: Readonly<Record<string, unknown>>;
  readonly TimeoutSeconds?: number;
  readonly Retry?: readonly AslRetry[];
  readonly Catch?: readonly AslCatch[];
  readonly Choices?: readonly Pick<
    AslCatch & { readonly Condition: string },
    "Condition" | "Next" | "Assign"
  >[];
  readonly Default?: string;
  readonly Error?: string;
  readonly Cause?: string;
  readonly Items?: unknown;
  readonly MaxConcurrency?: unknown;
  readonly ItemProcessor?: AslMachine & {
    readonly ProcessorConfig: { readonly Mode: string; readonly ExecutionType: string };
  };
}

interface AslRetry {
  readonly ErrorEquals: readonly string[];
  readonly MaxAttempts: number;
}

export interface AslCatch {
  readonly ErrorEquals: readonly string[];
  readonly Next: string;
  readonly Assign?: Readonly<Record<string, unknown>>;
  readonly Output?: unknown;
}

export interface AslMachine {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, AslState>>;
}

const templates = new WeakMap<AslMachine, Template>();

/**
 * Returns the template's state machine. Each reference is replaced by its logical id.
 * @param edit changes the definition's text
 */
export function definitionOf(template: Template, edit = (text: string) => text): AslMachine {
  const [found] = Object.values(template.findResources("AWS::StepFunctions::StateMachine"));
  const machine = JSON.parse(edit(textOf(found?.Properties.DefinitionString))) as AslMachine;
  templates.set(machine, template);
  return machine;
}

/** Returns the template that contains the state machine. */
export function templateWith(machine: AslMachine): Template {
  const template = templates.get(machine);
  if (template === undefined) throw new Error("the state machine was not read from a template");
  return template;
}

type Token = string | { readonly Ref: string } | { readonly "Fn::GetAtt": readonly string[] };

function textOf(value: string | { readonly "Fn::Join": readonly [string, readonly Token[]] }) {
  if (typeof value === "string") return value;
  const [separator, parts] = value["Fn::Join"];
  return parts.map(nameOf).join(separator);
}

function nameOf(token: Token): string {
  if (typeof token === "string") return token;
  return "Ref" in token ? token.Ref : (token["Fn::GetAtt"][0] as string);
}
