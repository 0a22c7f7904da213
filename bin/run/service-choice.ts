import { statSync } from "node:fs";
import { defined } from "../../lib/contract/defined.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { EmulatedData } from "../../lib/contract/types/contract.ts";

/** The options for the services that a user's functions call, as commander passes them. */
export interface ServiceOptions {
  readonly service?: readonly string[];
  readonly table?: readonly string[];
  readonly items?: readonly string[];
  readonly bucket?: readonly string[];
}

type EmulatedTable = NonNullable<EmulatedData["tables"]>[number];
type Items = NonNullable<EmulatedData["items"]>;

/**
 * Merges the options' services into the file's. A table, items or a bucket imply their service.
 * @param readJson reads an option's JSON text, or the file of that name
 */
export function readServices(
  before: EmulatedData | undefined,
  { service = [], table, items, bucket }: ServiceOptions,
  readJson: (option: string, text: string) => unknown,
): EmulatedData | undefined {
  const unknown = service.find((name) => name !== "dynamodb" && name !== "s3");
  if (unknown !== undefined) {
    const message = `--service takes dynamodb, s3 or both: there is no emulated ${unknown}`;
    throw new InvalidInput("service", unknown, "dynamodb, s3", message);
  }
  const tables = table?.map((text) => readTable(text, readJson));
  const requested = items?.map((text) => readItems(readJson("items", text)));
  const buckets = bucket?.map(splitBucket);
  const { folders: foldersBefore, ...others } = before ?? {};
  const folders = buckets === undefined ? foldersBefore : foldersOf(buckets);
  const isAsked = (name: string, own: unknown) => own !== undefined || service.includes(name);
  const services: EmulatedData = {
    ...others,
    ...(isAsked("dynamodb", tables ?? items) && { tables: tables ?? before?.tables ?? [] }),
    ...(requested !== undefined && { items: Object.assign({}, ...requested) as Items }),
    ...(isAsked("s3", bucket) && {
      buckets: buckets?.map(({ name }) => name) ?? [...(before?.buckets ?? [])],
    }),
    ...defined({ folders }),
  };
  return Object.keys(services).length === 0 ? undefined : services;
}

/** Parses `orders=table.json`. The name replaces the one in the file. */
function readTable(text: string, readJson: (option: string, text: string) => unknown) {
  const [, name, rest = text] = /^([A-Za-z0-9_.-]+)=([\s\S]+)$/.exec(text) ?? [];
  const table = readJson("table", rest) as EmulatedTable;
  return name === undefined ? table : { ...table, TableName: name };
}

/** Accepts the items by table, or the command's whole input, which has them under RequestItems. */
function readItems(value: unknown): Items {
  const { RequestItems: requested = value } = Object(value) as { readonly RequestItems?: unknown };
  return requested as Items;
}

interface NamedBucket {
  readonly name: string;
  readonly folder?: string;
}

function foldersOf(buckets: readonly NamedBucket[]): EmulatedData["folders"] {
  const folders = buckets.flatMap(({ name, folder }) =>
    folder === undefined ? [] : [[name, folder] as const],
  );
  return folders.length === 0 ? undefined : Object.fromEntries(folders);
}

function splitBucket(text: string): NamedBucket {
  const at = text.indexOf("=");
  const name = at < 0 ? text : text.slice(0, at);
  if (name.length < shortestBucketName) {
    const allowed = `a bucket's name of at least ${shortestBucketName} characters`;
    throw new InvalidInput("bucket", text, allowed, `--bucket takes ${allowed}, not ${name}`);
  }
  if (at < 0) return { name };
  const folder = text.slice(at + 1);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new InvalidInput("bucket", text, "NAME=FOLDER", `--bucket: no such folder: ${folder}`);
  }
  return { name, folder };
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const shortestBucketName = 3;
