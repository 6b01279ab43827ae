const NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const;
type StopSignal = keyof typeof NUMBERS;
const SIGNALS: readonly StopSignal[] = ["SIGINT", "SIGTERM"];
/** Wrappers such as npx pass on a signal that the terminal has already sent: two at once are one wish. */
const ONE_WISH_MS = 500;

/**
 * Resolves at the first signal. The second one ends the process at once, with the code that a shell expects: whatever is half done
 * is repaired at the next start, and the store writes a batch as a whole or not at all.
 */
export function stopSignal(): Promise<StopSignal> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        firstAt ??= Date.now();
        if (Date.now() - firstAt > ONE_WISH_MS) process.exit(128 + NUMBERS[signal]);
        resolve(signal);
      });
    }
  });
}
