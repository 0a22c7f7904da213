const voidElements = new Set(["meta", "link", "br", "hr", "img", "input", "col"]);

interface CheckedHtml {
  readonly elements: readonly { readonly name: string; readonly attributes: Attributes }[];
  readonly ids: readonly string[];
}

type Attributes = Readonly<Record<string, string>>;

/** Reads the page tag by tag; throws on a tag that is not closed in its place or not quoted. */
export function checkedHtml(html: string): CheckedHtml {
  const open: string[] = [];
  const elements: { name: string; attributes: Attributes }[] = [];
  const withoutStyle = html.replace(/<style>[^<]*<\/style>/g, "").replace(/^<!doctype html>/, "");
  for (const part of withoutStyle.split(/(?=<)/)) {
    if (!part.startsWith("<")) continue;
    const tag = /^<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z:-]+="[^"<]*")*)\s*(\/?)>/.exec(part);
    if (tag === null) throw new Error(`not a tag: ${part.slice(0, 80)}`);
    const [, closing, name = "", attributes = "", selfClosing] = tag;
    if (closing === "/") {
      const last = open.pop();
      if (last !== name) throw new Error(`</${name}> closes <${last}>`);
      continue;
    }
    elements.push({ name, attributes: attributesOf(attributes) });
    if (selfClosing !== "/" && !voidElements.has(name)) open.push(name);
  }
  if (open.length > 0) throw new Error(`never closed: ${open.join(", ")}`);
  return { elements, ids: elements.flatMap(({ attributes }) => attributes.id ?? []) };
}

function attributesOf(text: string): Attributes {
  return Object.fromEntries(
    [...text.matchAll(/([a-zA-Z:-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
}
