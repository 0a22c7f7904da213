import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import packageJson from "../../package.json" with { type: "json" };
import { listPlaceholders, namesNoOwner, ownedPages } from "../run/placeholders.ts";

const { root } = projectPaths;

/** What `npm pack` would put into the package, but for what is built first. */
function packedFiles(): readonly string[] {
  const words = ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel", "error"];
  const text = execFileSync("npm", words, { cwd: root, encoding: "utf8" });
  const [{ files }] = JSON.parse(text) as [{ readonly files: readonly { path: string }[] }];
  return files.map(({ path }) => path);
}

describe("the package", () => {
  const packed = packedFiles();
  const isPacked = (path: string) =>
    packed.includes(path) || packed.some((each) => each.startsWith(`${path}/`));
  const pages = packed.filter((path) => path.endsWith(".md"));

  it("has every page and picture that its pages link to", () => {
    const dead = pages.flatMap((page) => {
      const text = readFileSync(join(root, page), "utf8");
      const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
      return links
        .map((link) => link.replace(/#.*$/, ""))
        .filter((link) => link !== "" && !/^[a-z]+:/.test(link))
        .filter((link) => !isPacked(normalize(join(dirname(page), link)).replace(/\/$/, "")))
        .map((link) => `${page} -> ${link}`);
    });
    expect(pages.length).toBeGreaterThan(20);
    expect(dead).toEqual([]);
  });

  it("has what is said of a package, and no source", () => {
    for (const name of ["README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md"]) {
      expect(packed).toContain(name);
    }
    expect(packed.filter((path) => path.endsWith(".ts"))).toEqual([]);
    expect(packageJson).not.toHaveProperty("private");
    expect(packageJson.keywords).toContain("aws-lambda");
  });

  it("is not published before it says where the project is", () => {
    expect(packageJson.scripts.prepublishOnly).toContain("test/run-publish-check.ts");
    const url = "https://github.com/OWNER/kelvin";
    const placeholders = { homepage: url, bugs: { url }, repository: { type: "git", url } };
    expect(listPlaceholders(placeholders)).toEqual(["homepage", "bugs", "repository"]);
    expect(listPlaceholders({})).toEqual(["homepage", "bugs", "repository"]);
    const set = JSON.parse(JSON.stringify(placeholders).replaceAll("OWNER", "somebody"));
    expect(listPlaceholders(set)).toEqual([]);
    expect(ownedPages.every((page) => packed.includes(page))).toBe(true);
    expect(namesNoOwner("git clone https://github.com/OWNER/kelvin")).toBe(true);
    expect(namesNoOwner("git clone https://github.com/somebody/kelvin")).toBe(false);
  });
});
