/** A domain object as one row: what is `undefined` in the domain is `NULL` in the database. */
export type Columns<T> = {
  readonly [K in keyof T]: undefined extends T[K] ? Exclude<T[K], undefined> | null : T[K];
};

export function columnsOf<T extends object>(members: T): Columns<T> {
  return eachMember(members, (value) => value ?? null) as Columns<T>;
}

export function membersOf<T extends object>(row: Columns<T>): T {
  return eachMember(row, (value) => value ?? undefined) as T;
}

export function without<T extends object, K extends keyof T>(
  row: T,
  ...names: readonly K[]
): Omit<T, K> {
  const dropped: readonly PropertyKey[] = names;
  return eachMember(row, (value) => value, dropped) as Omit<T, K>;
}

/** Without lists of entries in between: a reading does this for every row. */
function eachMember(
  row: object,
  change: (value: unknown) => unknown,
  dropped: readonly PropertyKey[] = [],
): object {
  const members = row as Readonly<Record<string, unknown>>;
  const changed: Record<string, unknown> = {};
  for (const name of Object.keys(members))
    if (!dropped.includes(name)) changed[name] = change(members[name]);
  return changed;
}
