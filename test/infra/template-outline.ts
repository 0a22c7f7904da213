import type { Template } from "aws-cdk-lib/assertions";
import { definitionOf } from "../support/asl-definition.ts";

type Fields = Readonly<Record<string, unknown>>;

const width = 160;
/** What stands this often, and takes this many characters, is told once. */
const repeated = { times: 3, characters: 30 };

/**
 * Returns all that a template has, on lines that a reader can follow: a paragraph a resource, in it an item for each
 * statement of a policy and each state of the machine. `@Id` refers to a resource, `$1` to what the end of the text
 * has under that number, and the hashes of assets are masked.
 */
export function templateOutline(template: Template): string {
  const { Resources, ...others } = template.toJSON() as Record<string, Record<string, Fields>>;
  const machine = definitionOf(template);
  const properties = Object.values(Resources ?? {}).map(({ Properties }) => Properties);
  const names = repeatedTexts([properties, machine]);
  const lines = (value: unknown, before: string) => wrapped(before + textOf(value, names));
  const resources = Object.entries(Resources ?? {}).flatMap(([id, resource]) => {
    const { Type, Properties = {}, ...more } = resource;
    const { DefinitionString, PolicyDocument, ...own } = Properties as Fields;
    const { Statement = [], ...document } = (PolicyDocument ?? {}) as {
      readonly Statement?: readonly unknown[];
    };
    const { States, ...whole } = machine;
    const states = DefinitionString === undefined ? {} : { whole, ...States };
    return [
      ...lines({ ...own, ...document, ...more }, `${id}: ${Type} `),
      ...Statement.flatMap((each) => lines(each, "  - ")),
      ...Object.entries(states).flatMap(([name, state]) => lines(state, `  - ${name}: `)),
    ];
  });
  const rest = Object.entries(others).flatMap(([name, value]) => lines(value, `${name}: `));
  const numbered = [...names].flatMap(([text, name]) => wrapped(`${name}: ${text}`));
  const text = [...resources, ...rest, ...numbered].join("\n");
  return `${text.replaceAll(/[0-9a-f]{64}/g, "<asset>")}\n`;
}

/** The texts of objects and lists that stand in several places, each with the name that takes its place. */
function repeatedTexts(value: unknown): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  const count = (each: unknown): void => {
    if (typeof each !== "object" || each === null) return;
    const text = textOf(each);
    const times = counts.get(text) ?? 0;
    counts.set(text, times + 1);
    // The parts of what is told once are told with it.
    if (times === 0 && !("Fn::Join" in each)) for (const part of Object.values(each)) count(part);
  };
  count(value);
  const often = [...counts].filter(
    ([text, times]) =>
      /^[{[]/.test(text) && times >= repeated.times && text.length >= repeated.characters,
  );
  return new Map(often.map(([text], index) => [text, `$${index + 1}`]));
}

/** JSON without quotes, with a reference as what it refers to, and names in the place of repeated texts. */
function textOf(value: unknown, names: ReadonlyMap<string, string> = new Map()): string {
  if (typeof value !== "object" || value === null) return String(value);
  const name = names.size > 0 ? names.get(textOf(value)) : undefined;
  if (name !== undefined) return name;
  const text = (part: unknown) => textOf(part, names);
  if (Array.isArray(value)) return `[${value.map(text).join(", ")}]`;
  const { Ref, "Fn::GetAtt": attribute, "Fn::Join": join } = value as Record<string, string[]>;
  if (Ref !== undefined) return `@${Ref}`;
  if (attribute !== undefined) return `@${attribute.join(".")}`;
  if (join !== undefined) return [...(join[1] ?? [])].map(text).join(join[0]);
  return `{${Object.entries(value)
    .map(([key, part]) => `${key}: ${text(part)}`)
    .join(", ")}}`;
}

/** Lines of a width, broken between words. */
function wrapped(text: string): readonly string[] {
  const [first = "", ...words] = text.split(/(?<=\S) /);
  const lines = [first];
  for (const word of words) {
    const last = lines.at(-1) ?? "";
    if (last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`      ${word}`);
  }
  return lines;
}
