import * as z from "zod";

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** Timers take 31 bits: a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** It takes `90s`, `15m`, `2h` or a number of milliseconds and gives milliseconds. */
export const duration = timeText(
  /^\d{1,10}(ms|s|m|h)$/,
  "expected a duration such as 90s, 15m or 2h, or a number of milliseconds",
).refine((ms) => ms <= MAX_TIMER_MS, { error: "expected at most 24 days" });

/** It takes `12h`, `90d` or a number of milliseconds. It says how long something is kept, so no timer's limit applies. */
export const age = timeText(
  /^\d{1,6}(m|h|d)$/,
  "expected an age such as 12h or 90d, or a number of milliseconds",
);

const UNIT_BYTES = { MB: 2 ** 20, GB: 2 ** 30 } as const;
const EXPECTED = "expected an amount of memory such as 512MB or 2GB, or a number of bytes";

/** It takes `512MB`, `2GB` or a number of bytes and gives bytes. */
export const memorySize = z
  .union(
    [z.number().int().nonnegative(), z.string().regex(/^\d{1,6}(MB|GB)$/, { error: EXPECTED })],
    { error: EXPECTED },
  )
  .transform((value) => (typeof value === "number" ? value : bytesOf(value)));

function timeText(text: RegExp, error: string) {
  return z
    .union([z.number().int().nonnegative(), z.string().regex(text, { error })], { error })
    .transform((value) => (typeof value === "number" ? value : millisecondsOf(value)));
}

function millisecondsOf(text: string): number {
  const unit = text.slice(text.search(/[a-z]/)) as keyof typeof UNIT_MS;
  return Number.parseInt(text, 10) * UNIT_MS[unit];
}

function bytesOf(text: string): number {
  return Number.parseInt(text, 10) * UNIT_BYTES[text.slice(-2) as keyof typeof UNIT_BYTES];
}
