import * as z from "zod";

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** Timers take 31 bits: a longer one would fire at once. */
const LONGEST_MS = 2_147_483_647;

/** `90s`, `15m`, `2h` or a number of milliseconds; read as milliseconds. */
export const duration = timeText(
  /^\d{1,10}(ms|s|m|h)$/,
  "expected a duration such as 90s, 15m or 2h, or a number of milliseconds",
).refine((ms) => ms <= LONGEST_MS, { error: "expected at most 24 days" });

/** `12h`, `90d` or a number of milliseconds: how long something is kept, so no timer's limit. */
export const age = timeText(
  /^\d{1,6}(m|h|d)$/,
  "expected an age such as 12h or 90d, or a number of milliseconds",
);

function timeText(text: RegExp, error: string) {
  return z
    .union([z.number().int().nonnegative(), z.string().regex(text, { error })], { error })
    .transform((value) => (typeof value === "number" ? value : millisecondsOf(value)));
}

function millisecondsOf(text: string): number {
  const unit = text.slice(text.search(/[a-z]/)) as keyof typeof UNIT_MS;
  return Number.parseInt(text, 10) * UNIT_MS[unit];
}
