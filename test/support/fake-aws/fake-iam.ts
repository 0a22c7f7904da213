import { result, xmlError } from "./fake-cloud-formation.ts";
import type { FakeRequest, FakeResponse, FakeService } from "./http.ts";

interface FakeRole {
  /** Document by ARN of an attached policy. */
  readonly attached?: Readonly<Record<string, object>>;
  /** Document by name of an inline policy. */
  readonly inline?: Readonly<Record<string, object>>;
}

/** IAM in memory: it reads the policies of roles. */
export class FakeIam implements FakeService {
  readonly roles = new Map<string, FakeRole>();
  /** Actions that the caller may not call. */
  denied: readonly string[] = [];

  /** https://docs.aws.amazon.com/IAM/latest/APIReference/API_Operations.html */
  respond({ body }: FakeRequest): FakeResponse {
    const asked = new URLSearchParams(body);
    const action = asked.get("Action") ?? "";
    const user = "arn:aws:iam::123456789012:user/ann";
    const refusal = `User: ${user} is not authorized to perform: iam:${action}`;
    if (this.denied.includes(action)) return xmlError(403, "AccessDenied", refusal);
    const role = this.roles.get(asked.get("RoleName") ?? "");
    const isOfPolicy = action === "GetPolicy" || action === "GetPolicyVersion";
    if (role === undefined && !isOfPolicy) return xmlError(404, "NoSuchEntity", "no such role");
    return result(action, this.#content(action, role ?? {}, asked));
  }

  #content(action: string, { attached = {}, inline = {} }: FakeRole, asked: URLSearchParams) {
    const members = (items: readonly string[]) =>
      items.map((item) => `<member>${item}</member>`).join("");
    const all = [...this.roles.values()].flatMap((role) => Object.entries(role.attached ?? {}));
    const policy = all.find(([arn]) => arn === asked.get("PolicyArn"))?.[1] ?? {};
    // Version 2 is the default one; the others are not read.
    const isDefault = asked.get("VersionId") === "v2";
    switch (action) {
      case "ListAttachedRolePolicies": {
        const arns = Object.keys(attached).map((arn) => `<PolicyArn>${arn}</PolicyArn>`);
        return `<AttachedPolicies>${members(arns)}</AttachedPolicies>`;
      }
      case "ListRolePolicies":
        return `<PolicyNames>${members(Object.keys(inline))}</PolicyNames>`;
      case "GetPolicy":
        return "<Policy><DefaultVersionId>v2</DefaultVersionId></Policy>";
      case "GetPolicyVersion":
        return `<PolicyVersion><Document>${encoded(isDefault ? policy : {})}</Document></PolicyVersion>`;
      default: {
        const document = inline[asked.get("PolicyName") ?? ""] ?? {};
        return `<PolicyDocument>${encoded(document)}</PolicyDocument>`;
      }
    }
  }
}

function encoded(document: object): string {
  return encodeURIComponent(JSON.stringify({ Version: "2012-10-17", ...document }));
}
