/** One thing that holds of a `T`, whatever happens. */
export interface Check<T> {
  readonly name: string;
  readonly holds: (of: T) => boolean;
}

export type Expect = (name: string, holds: boolean) => void;

export function expectAll<T>(checks: readonly Check<T>[], of: T, expect: Expect): void {
  for (const { name, holds } of checks) expect(name, holds(of));
}
