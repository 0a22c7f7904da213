import type { Template } from "aws-cdk-lib/assertions";

/** Values that CloudFormation fills in when it creates the template's resources. */
export interface PhysicalNames {
  /** Values by name, for example AWS::Region. */
  readonly pseudoParameters: Readonly<Record<string, string>>;
  readonly nameOf: (resource: TemplateResource) => string;
}

interface TemplateResource {
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * A template as CloudFormation sees it once every resource has its name: the intrinsic functions that Kelvin uses are
 * resolved to text. Throws on any other.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html
 */
export class ResolvedTemplate {
  readonly #resources: ReadonlyMap<string, TemplateResource>;
  readonly #names: PhysicalNames;

  constructor(template: Template, names: PhysicalNames) {
    this.#names = names;
    const found = Object.entries(template.toJSON().Resources as Readonly<Record<string, Json>>);
    this.#resources = new Map(
      found.map(([logicalId, { Type, Properties }]) => [
        logicalId,
        { logicalId, type: String(Type), properties: (Properties ?? {}) as Json },
      ]),
    );
  }

  /** Returns the resources of a type, with their properties resolved. */
  ofType(type: string): readonly TemplateResource[] {
    const found = [...this.#resources.values()].filter((resource) => resource.type === type);
    return found.map((resource) => ({
      ...resource,
      properties: this.resolved(resource.properties) as Json,
    }));
  }

  nameOf(resource: TemplateResource): string {
    return this.#names.nameOf(resource);
  }

  arnOf({ logicalId }: TemplateResource): string {
    return this.#attribute(logicalId, "Arn");
  }

  resolved(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.resolved(each));
    if (typeof value !== "object" || value === null) return value;
    const [[name, argument] = ["", undefined], ...others] = Object.entries(value);
    if (others.length === 0 && (name === "Ref" || name.startsWith("Fn::"))) {
      return this.#called(name, argument);
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, this.resolved(each)]),
    );
  }

  #called(name: string, argument: unknown): unknown {
    switch (name) {
      case "Ref":
        return this.#ref(String(argument));
      case "Fn::GetAtt":
        return this.#attribute(...(argument as [string, string]));
      case "Fn::Sub":
        return String(argument).replaceAll(/\$\{([^}]+)\}/g, (_, id: string) => this.#ref(id));
      case "Fn::Join": {
        const [separator, parts] = argument as [string, unknown];
        return (this.resolved(parts) as readonly string[]).join(separator);
      }
      case "Fn::Split": {
        const [separator, text] = argument as [string, unknown];
        return String(this.resolved(text)).split(separator);
      }
      case "Fn::Select": {
        const [index, list] = argument as [number, unknown];
        return (this.resolved(list) as readonly unknown[])[index];
      }
      default:
        throw new Error(`the intrinsic function ${name} is not known here`);
    }
  }

  #ref(id: string): string {
    const pseudoParameter = this.#names.pseudoParameters[id];
    if (pseudoParameter !== undefined) return pseudoParameter;
    const resource = this.#resource(id);
    const isArn = /^AWS::(StepFunctions::StateMachine|IAM::ManagedPolicy)$/.test(resource.type);
    return isArn ? this.arnOf(resource) : this.nameOf(resource);
  }

  #attribute(logicalId: string, attribute: string): string {
    const resource = this.#resource(logicalId);
    if (attribute !== "Arn") throw new Error(`${logicalId}.${attribute} is not known here`);
    const name = this.nameOf(resource);
    const {
      "AWS::Partition": partition,
      "AWS::Region": region,
      "AWS::AccountId": account,
    } = this.#names.pseudoParameters;
    const path = String(resource.properties.Path ?? "/");
    const inRegion = (service: string, rest: string) =>
      `arn:${partition}:${service}:${region}:${account}:${rest}`;
    const arns: Readonly<Record<string, string>> = {
      "AWS::Lambda::Function": inRegion("lambda", `function:${name}`),
      "AWS::DynamoDB::Table": inRegion("dynamodb", `table/${name}`),
      "AWS::Logs::LogGroup": inRegion("logs", `log-group:${name}:*`),
      "AWS::StepFunctions::StateMachine": inRegion("states", `stateMachine:${name}`),
      "AWS::S3::Bucket": `arn:${partition}:s3:::${name}`,
      "AWS::IAM::Role": `arn:${partition}:iam::${account}:role${path}${name}`,
      "AWS::IAM::ManagedPolicy": `arn:${partition}:iam::${account}:policy${path}${name}`,
    };
    const arn = arns[resource.type];
    if (arn === undefined) throw new Error(`the ARN of a ${resource.type} is not known here`);
    return arn;
  }

  #resource(logicalId: string): TemplateResource {
    const resource = this.#resources.get(logicalId);
    if (resource === undefined) throw new Error(`the template has no resource ${logicalId}`);
    return resource;
  }
}
