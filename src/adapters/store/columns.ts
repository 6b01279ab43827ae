/** A domain object as one row: what is `undefined` in the domain is `NULL` in the database. */
export type Columns<T> = {
  readonly [K in keyof T]: undefined extends T[K] ? Exclude<T[K], undefined> | null : T[K];
};

export function columnsOf<T extends object>(members: T): Columns<T> {
  const entries = Object.entries(members).map(([name, value]) => [
    name,
    (value as unknown) ?? null,
  ]);
  return Object.fromEntries(entries) as Columns<T>;
}

export function membersOf<T extends object>(row: Columns<T>): T {
  const entries = Object.entries(row).map(([name, value]) => [name, value ?? undefined]);
  return Object.fromEntries(entries) as T;
}

export function without<T extends object, K extends keyof T>(
  row: T,
  ...names: readonly K[]
): Omit<T, K> {
  const kept = Object.entries(row).filter(([name]) => !names.some((dropped) => dropped === name));
  return Object.fromEntries(kept) as Omit<T, K>;
}
