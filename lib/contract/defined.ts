type Optional<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<
    Fields[Name],
    undefined
  >;
};
type Given<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
};

/** Returns the fields that are not undefined, in their order, so that optional fields are absent. */
export function defined<Fields extends object>(fields: Fields): Given<Fields> & Optional<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Given<Fields> & Optional<Fields>;
}
