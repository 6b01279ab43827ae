const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Wrappers such as npx pass on a signal that the terminal has already sent, so two within this time count as one. */
const SAME_SIGNAL_MS = 500;

export interface Interrupts {
  /** The first Ctrl-C or polite kill aborts it. */
  readonly first: AbortSignal;
  /** The second one aborts it, where it does not kill already. */
  readonly second: AbortSignal;
  readonly release: () => void;
}

/** Listens for Ctrl-C and polite kills so many times; one more kills. Both signals are aborted when nobody reads the output any more. */
export function watchInterrupts(times: 1 | 2): Interrupts {
  const [first, second] = [new AbortController(), new AbortController()];
  const stops = [first, second].slice(0, times);
  let lastAt = -Infinity;
  const interrupt = (signal: NodeJS.Signals): void => {
    const now = Date.now();
    if (now - lastAt <= SAME_SIGNAL_MS) return;
    lastAt = now;
    const next = stops.shift();
    if (next !== undefined) {
      next.abort();
      return;
    }
    release();
    process.kill(process.pid, signal);
  };
  const goneReader = (): void => {
    first.abort();
    second.abort();
  };
  const release = (): void => {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  // These listeners stay for good: output after the end must not bring the program down either.
  process.stdout.on("error", goneReader);
  process.stderr.on("error", goneReader);
  return { first: first.signal, second: second.signal, release };
}
