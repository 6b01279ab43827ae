/** This is a domain object as one row: `undefined` in the domain is `NULL` in the database. */
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

/** Gives the same text for equal values, whatever the order of their members. Members that are `undefined` are left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isRecord(member) ? Object.fromEntries(Object.entries(member).sort(byName)) : member,
  );
}

/** This makes no lists of entries in between, because a reading does it for every row. */
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
