interface Timer {
  after(delayMs: number, fire: () => void): () => void;
}

/** Resolves after this time, or at once when the signal is aborted. It leaves neither a timer nor a listener behind. */
export function sleep(ms: number, clock: Timer, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal?.addEventListener("abort", end);
  });
}
