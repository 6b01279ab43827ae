/** Runs work of one key in order of arrival, one at a time, and work of different keys at the same time. */
export type KeyedQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const turn = (tails.get(key) ?? Promise.resolve()).then(work, work);
    tails.set(key, turn);
    const forget = (): void => {
      if (tails.get(key) === turn) tails.delete(key);
    };
    turn.then(forget, forget);
    return turn;
  };
}
