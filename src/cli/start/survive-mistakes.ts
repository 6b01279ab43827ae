import type { Logger } from "pino";

/**
 * A mistake in one listener or timer ends that one alone. What matters is in the store, which takes a batch as a whole or not at all,
 * and each lane begins with what is there.
 */
export function surviveMistakes(log: Logger): void {
  const goOn = (err: unknown): void => {
    // Nobody reads the log any more: writing that down would be the next such error.
    if (err instanceof Error && "code" in err && err.code === "EPIPE") return;
    log.error({ err }, "a part of the app failed; the rest goes on");
  };
  process.on("uncaughtException", goOn);
  process.on("unhandledRejection", goOn);
}
