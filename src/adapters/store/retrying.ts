import { setTimeout as pause } from "node:timers/promises";

const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 10;

type Calls = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** The same calls, made again after a pause when they failed in a way that left nothing behind. Each is one transaction, or may be repeated as a whole. */
export function retrying<T extends object>(calls: T, leftNothing: (error: unknown) => boolean): T {
  const patient = Object.entries(calls as Calls).map(([name, call]) => [
    name,
    (...args: never[]) => patiently(() => call(...args), leftNothing),
  ]);
  return Object.fromEntries(patient) as T;
}

async function patiently<T>(
  call: () => Promise<T>,
  leftNothing: (error: unknown) => boolean,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (attempt === ATTEMPTS || !leftNothing(error)) throw error;
      // Rivals that met once wait for different times, so that they do not meet again.
      await pause(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
    }
  }
}
