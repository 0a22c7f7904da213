import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { PricingClient } from "@aws-sdk/client-pricing";
import { beforeEach, describe, expect, it } from "vitest";
import { prices } from "../../bin/commands/prices.ts";
import { pricesToDeploy } from "../../bin/run/deployed-prices.ts";
import { validated } from "../../lib/contract/validate.ts";
import { publishedPrices } from "../../lib/cost/prices.ts";
import { capturedOutput } from "../support/captured-output.ts";
import { jsonError } from "../support/fake-aws/http.ts";
import { listed, priceList, product } from "../support/fake-aws/price-list.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const folder = folderPerTest();
const output = capturedOutput();

const ask = (client: PricingClient) =>
  prices({ region: "eu-central-1", out: folder("prices.json") }, client);
const written = () => validated("prices", JSON.parse(readFileSync(folder("prices.json"), "utf8")));

describe("kelvin prices", () => {
  it("writes the region's prices, each the lowest tier's that is not free", async () => {
    expect(await ask(priceList(listed))).toBe(0);
    const table = written();
    expect(table.regions).toEqual({
      "eu-central-1": {
        lambda: {
          arm64: { gbSecondUsd: 0.00001 },
          x86_64: { gbSecondUsd: 0.00002 },
          requestUsd: 0.0000003,
        },
        stepFunctionsTransitionUsd: 0.00004,
        dynamodb: { readRequestUnitUsd: 0.0000005, writeRequestUnitUsd: 0.0000006 },
        s3: { putRequestUsd: 0.000007, getRequestUsd: 0.0000008 },
        logs: { ingestedGbUsd: 0.63 },
      },
    });
    expect(table).toMatchObject({ configurationItemUsd: 0.003, ruleEvaluationUsd: 0.001 });
    expect(table.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(output.stderr).toBe("");
  });

  it("leaves out and names what the list lacks, or has at two prices", async () => {
    const without = listed.filter(({ service }) => service !== "AmazonS3");
    const other = product("AmazonStates", "EUC2-StateTransition", "0.00005");
    expect(await ask(priceList([...without, other]))).toBe(0);
    const regional = written().regions["eu-central-1"];
    expect(regional).not.toHaveProperty("s3");
    expect(regional).not.toHaveProperty("stepFunctionsTransitionUsd");
    expect(output.stderr).toBe("without a price in eu-central-1: transition, put, get\n");
  });

  it("refuses a region without prices, and leaves no file", async () => {
    await expect(ask(priceList([]))).rejects.toThrow('region: found "eu-central-1"');
    expect(existsSync(folder("prices.json"))).toBe(false);
  });
});

describe("a deploy", () => {
  const said: string[] = [];
  beforeEach(() => void said.splice(0));
  const progress = { say: (line: string) => void said.push(line) };
  const deployed = (region: string, client: PricingClient, given?: string) =>
    pricesToDeploy(given, region, progress, client);

  it("asks for nothing where Kelvin's own table has all prices, or a file is given", async () => {
    const client = priceList([], jsonError(500, "InternalErrorException", "asked"));
    expect(await deployed("us-east-1", client)).toEqual({ table: publishedPrices });
    writeFileSync(folder("own.json"), JSON.stringify(publishedPrices));
    const given = await deployed("eu-central-1", client, folder("own.json"));
    expect(given).toEqual({ table: publishedPrices, path: folder("own.json") });
    expect(said).toEqual([]);
  });

  it("takes the region's prices along where it has not", async () => {
    const { table, path = "" } = await deployed("eu-central-1", priceList(listed));
    expect(validated("prices", JSON.parse(readFileSync(path, "utf8")))).toEqual(table);
    expect(table.regions).toHaveProperty("eu-central-1");
  });

  it.each([
    ["the caller may not ask", jsonError(400, "AccessDeniedException", "not you"), "not you"],
    ["the list has none", undefined, 'region: found "eu-central-1"; allowed: a region that'],
  ])("goes on without where %s, and says what that means", async (_, refusal, why) => {
    const found = await deployed("eu-central-1", priceList([], refusal));
    expect(found).toEqual({ table: publishedPrices });
    expect(said[0]).toContain(`gave none (${why}`);
    expect(said[0]).toContain("): runs refuse maxCostUsd; pricing:GetProducts");
  });
});
