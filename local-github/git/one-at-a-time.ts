const last = new WeakMap<object, Promise<unknown>>();

/** Runs the work for one repository in order, so that the changes of one push are known before the next one starts. */
export async function oneAtATime<T>(key: object, work: () => Promise<T>): Promise<T> {
  const before = last.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  last.set(key, mine);
  return mine;
}
