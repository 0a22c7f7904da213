import { writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { cdkEnvironment } from "../../bin/run/run-cdk.ts";
import { accountAccess, describeAccount } from "../../lib/aws/account-access.ts";
import { servedHttp } from "../support/http-server.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const folder = folderPerTest();
let asked: string[];
/** What the server answers, by the path or the action that it is asked for. */
let answers: Readonly<Record<string, string>>;

const address = servedHttp(async (request, response) => {
  const action = new URLSearchParams(await text(request)).get("Action");
  asked.push(action ?? `${request.method} ${request.url}`);
  const answer = answers[action ?? request.url ?? ""];
  response.statusCode = answer === undefined ? 404 : 200;
  response.end(answer);
});

beforeEach(() => {
  asked = [];
  answers = {};
  for (const name of Object.keys(process.env).filter((each) => /^(AWS|AMAZON)_/.test(each))) {
    vi.stubEnv(name, undefined);
  }
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  vi.stubEnv("AWS_CONFIG_FILE", folder("config"));
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", folder("credentials"));
  vi.stubEnv("AWS_ENDPOINT_URL_STS", address());
});

const write = (name: string, text: string) => writeFileSync(folder(name), text);
const regionOf = async (profile?: string) => (await accountAccess({ profile })).region;

describe("the region", () => {
  // https://docs.aws.amazon.com/cdk/v2/guide/configure-env.html
  it("is the environment's, the profile's, then that of the default profile, then us-east-1", async () => {
    expect(await regionOf("work")).toBe("us-east-1");
    write("config", "[default]\nregion = eu-west-1\n[profile work]\noutput = json\n");
    expect(await regionOf("work")).toBe("eu-west-1");
    write("config", "[default]\nregion = eu-west-1\n[profile work]\nregion = eu-west-2\n");
    expect(await regionOf("work")).toBe("eu-west-2");
    vi.stubEnv("AWS_DEFAULT_PROFILE", "work");
    expect(await regionOf()).toBe("eu-west-2");
    write("credentials", "[work]\nregion = eu-west-3\n");
    expect(await regionOf("work")).toBe("eu-west-3");
    vi.stubEnv("AWS_DEFAULT_REGION", "sa-east-1");
    expect(await regionOf("work")).toBe("sa-east-1");
    vi.stubEnv("AWS_REGION", "ca-central-1");
    expect(await regionOf("work")).toBe("ca-central-1");
  });

  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
  it("is the instance's where no file and no variable names one", async () => {
    vi.stubEnv("AWS_EC2_METADATA_DISABLED", undefined);
    vi.stubEnv("AWS_EC2_METADATA_SERVICE_ENDPOINT", address());
    answers = {
      "/latest/api/token": "token",
      "/latest/meta-data/placement/region": "ap-southeast-2",
    };
    expect(await regionOf()).toBe("ap-southeast-2");
    expect(asked).toEqual(["PUT /latest/api/token", "GET /latest/meta-data/placement/region"]);
  });
});

describe("the account", () => {
  // https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
  const identity =
    "<GetCallerIdentityResponse><GetCallerIdentityResult><Account>123456789012</Account>" +
    "</GetCallerIdentityResult></GetCallerIdentityResponse>";

  it("is told with the region", async () => {
    answers = { GetCallerIdentity: identity };
    write("credentials", "[told]\naws_access_key_id = A\naws_secret_access_key = B\n");
    const access = await accountAccess({ profile: "told", region: "eu-west-1" });
    expect(await describeAccount(access)).toBe("account 123456789012, region eu-west-1");
  });

  it("is that of a credential_process, which has the caller's whole environment in the CDK as well", async () => {
    answers = { GetCallerIdentity: identity };
    vi.stubEnv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/bus");
    write(
      "key.sh",
      'printf \'{"Version":1,"AccessKeyId":"%s","SecretAccessKey":"s"}\' "$DBUS_SESSION_BUS_ADDRESS"',
    );
    write("config", `[profile process]\ncredential_process = sh ${folder("key.sh")}\n`);
    const access = await accountAccess({ profile: "process" });
    expect(await access.credentials()).toMatchObject({ accessKeyId: "unix:path=/run/bus" });
    expect(await cdkEnvironment(access)).toMatchObject({
      DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/bus",
    });
  });

  it("of a role with MFA asks for a code, and says what to do where nobody can type it", async () => {
    write("credentials", "[base]\naws_access_key_id = A\naws_secret_access_key = B\n");
    write(
      "config",
      "[profile mfa]\nrole_arn = arn:aws:iam::123456789012:role/r\nsource_profile = base\n" +
        "mfa_serial = arn:aws:iam::123456789012:mfa/me\n",
    );
    const access = await accountAccess({ profile: "mfa" });
    await expect(describeAccount(access)).rejects.toThrow(
      "the profile asks for the code of arn:aws:iam::123456789012:mfa/me, and nobody can be asked",
    );
    expect(asked).toEqual([]);
  });

  it.each([
    ["no profile of the name", "", /no AWS credentials: .*profile/i],
    [
      "an SSO session that has ended",
      "[profile PROFILE]\nsso_session = s\nsso_account_id = 1\nsso_role_name = r\n[sso-session s]\nsso_region = eu-west-1\nsso_start_url = https://example.com\n",
      /no AWS credentials: .*sso/i,
    ],
    [
      "a login that has ended",
      "[profile PROFILE]\nlogin_session = arn:aws:iam::123456789012:user/me\n",
      /no AWS credentials: .*login/i,
    ],
    [
      "a process that fails",
      "[profile PROFILE]\ncredential_process = sh -c 'echo locked >&2; exit 1'\n",
      /no AWS credentials: .*locked/s,
    ],
  ])("is said to be unknown by the SDK's own reason: %s", async (name, config, reason) => {
    const profile = name.replaceAll(" ", "-");
    write("config", config.replace("PROFILE", profile));
    await expect(describeAccount(await accountAccess({ profile }))).rejects.toThrow(reason);
  });
});
