export interface Interrupts {
  readonly signal: AbortSignal;
  readonly release: () => void;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Wrappers such as npx pass on a signal that the terminal has already sent: two at once are one wish. */
const ONE_WISH_MS = 500;

/** Aborts at the first Ctrl-C or polite kill, and when nobody reads the output any more; a second Ctrl-C kills. */
export function watchInterrupts(): Interrupts {
  const stop = new AbortController();
  let firstAt: number | undefined;
  const interrupt = (signal: NodeJS.Signals): void => {
    firstAt ??= Date.now();
    stop.abort();
    if (Date.now() - firstAt <= ONE_WISH_MS) return;
    release();
    process.kill(process.pid, signal);
  };
  const goneReader = (): void => {
    stop.abort();
  };
  const release = (): void => {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  // Stays for good: what is still printed after the end must not bring the program down either.
  process.stdout.on("error", goneReader);
  process.stderr.on("error", goneReader);
  return { signal: stop.signal, release };
}
