/** The fields that say where the project is. */
const fields = ["homepage", "bugs", "repository"] as const;

/** The fields of a package.json that are not set, or name no owner yet. */
export function listPlaceholders(
  packageJson: Readonly<Record<string, unknown>>,
): readonly string[] {
  return fields.filter((field) => {
    const text = JSON.stringify(packageJson[field] ?? "");
    return !text.includes("://") || text.includes("/OWNER/");
  });
}

/** `ownedPages` are the pages that say where the project is. */
export const ownedPages: readonly string[] = ["README.md", "docs/pull-requests.md"];

/** True of a page that still tells readers to clone the project from nobody. */
export function namesNoOwner(page: string): boolean {
  return page.includes("OWNER/kelvin");
}
