import type { CommandEnd, CommandRequest } from "../ports/processes.ts";

export interface Watch {
  /** Settles when the command has to be stopped. */
  readonly stop: Promise<CommandEnd>;
  end(): void;
}

export interface Watched {
  readonly request: Pick<CommandRequest, "limits" | "signal">;
  /** Bytes that the command has written so far. */
  readonly written: () => Promise<number>;
  readonly observe: () => Promise<void>;
}

// A program can write about a gigabyte per second: the log stays within some ten megabytes of its limit.
const SIZE_CHECK_MS = 50;
// Short enough to have met whatever works for a while before it hides.
const OBSERVE_MS = 1000;
const MAX_DELAY_MS = 2 ** 31 - 1;

export function watchCommand({ request, written, observe }: Watched): Watch {
  let end = (): void => undefined;
  const stop = new Promise<CommandEnd>((resolve, reject) => {
    const cancel = (): void => resolve({ kind: "cancelled" });
    const checkSize = async (): Promise<void> => {
      if ((await written()) > request.limits.maxLogBytes) resolve({ kind: "output-limit" });
    };
    const timers = [
      setTimeout(
        () => resolve({ kind: "timed-out" }),
        Math.min(request.limits.wallMs, MAX_DELAY_MS),
      ),
      setInterval(() => void checkSize().catch(reject), SIZE_CHECK_MS),
      setInterval(() => void observe().catch(reject), OBSERVE_MS),
    ];
    request.signal.addEventListener("abort", cancel, { once: true });
    if (request.signal.aborted) cancel();
    end = () => {
      for (const timer of timers) clearTimeout(timer);
      request.signal.removeEventListener("abort", cancel);
    };
  });
  return { stop, end };
}
