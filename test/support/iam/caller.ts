import { s3Error } from "../fake-aws/fake-s3.ts";
import {
  type FakeRequest,
  type FakeResponse,
  type FakeService,
  jsonError,
} from "../fake-aws/http.ts";
import type { DeployedRole } from "./deployed-roles.ts";
import { decide, type Grant, type IamRequest } from "./policy-evaluator.ts";
import { type CalledAccount, iamRequestsOf, objectOf, type ServiceName } from "./sdk-calls.ts";

/** The caller of a service. */
export interface Caller {
  readonly role: DeployedRole;
  readonly account: CalledAccount;
  /** Called with each grant that a call needed. */
  readonly onUse: (grant: Grant) => void;
  /** Called for each call that no grant allows. */
  readonly onDenial: (denial: string) => void;
}

/** Returns the service behind IAM: every request is made as the caller. */
export function behindIam(service: ServiceName, fake: FakeService, caller: Caller): FakeService {
  return {
    async respond(request) {
      for (const asked of iamRequestsOf(service, request, caller.account)) {
        if (!isAllowed(caller, asked)) return denied(service, caller, asked);
      }
      const response = await fake.respond(request);
      return service === "s3" ? asS3Tells(caller, request, response) : response;
    },
  };
}

function isAllowed({ role, onUse }: Caller, asked: IamRequest): boolean {
  const { isAllowed, by } = decide(role.grants, asked);
  if (isAllowed) by.forEach(onUse);
  return isAllowed;
}

function denied(service: ServiceName, { role, onDenial }: Caller, asked: IamRequest): FakeResponse {
  const { action, resource } = asked;
  const denial = `${role.name} is not authorized to perform: ${action} on resource: ${resource}`;
  onDenial(denial);
  if (service === "s3") return s3Error(403, "AccessDenied", denial);
  return jsonError(service === "lambda" ? 403 : 400, "AccessDeniedException", denial);
}

/**
 * Reports a missing key as 404 to callers that may list the bucket, and as 403 to others. The request has no prefix,
 * so a condition on s3:prefix does not match.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html#API_GetObject_RequestSyntax
 */
function asS3Tells(caller: Caller, request: FakeRequest, response: FakeResponse): FakeResponse {
  if (request.method !== "GET" || response.status !== 404) return response;
  const { bucket, key } = objectOf(request);
  const list = { action: "s3:ListBucket", resource: `arn:aws:s3:::${bucket}`, context: {} };
  return decide(caller.role.grants, list).isAllowed ? response : s3Error(403, "AccessDenied", key);
}
