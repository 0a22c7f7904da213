/** On every resource that takes tags. */
export const projectTag = { key: "project", value: "kelvin" } as const;
