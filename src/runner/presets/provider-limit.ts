import { instant } from "../../domain/ids.ts";
import type { Instant } from "../../domain/ids.ts";
import type { AgentReport } from "./agent-report.ts";

const LIMIT =
  /\b429\b|too many requests|rate.?limit|usage.?limit|hit your limit|quota|resource.?exhausted/i;
/** A reset that is further away is a misread number. */
const MAX_WAIT_MS = 31 * 24 * 3_600_000;
const MAX_TEXT_LENGTH = 20_000;

/** Tells whether an error says that the provider refuses for now, and until when. Never pass it words of the agent's own. */
export function limitIn(words: string, at: Instant): AgentReport["limit"] {
  const text = words.slice(0, MAX_TEXT_LENGTH);
  if (!LIMIT.test(text)) return undefined;
  for (const read of [resetMoment, waitTime, clockTime]) {
    const until = read(text, at);
    if (until !== undefined && until > at && until <= at + MAX_WAIT_MS) {
      return { until: instant(Math.round(until)) };
    }
  }
  return { until: undefined };
}

/** It reads `resets_at: 1767225600`, `limit reached|1767225600` and `resetsAt":"2026-01-01T00:00:00Z"`. */
function resetMoment(text: string): number | undefined {
  const [, digits] = /(?:resets?_?at\W{1,6}|\|)(\d{10}|\d{13})\b/i.exec(text) ?? [];
  if (digits !== undefined) return Number(digits) * (digits.length === 10 ? 1000 : 1);
  const [, iso] =
    /reset\D{0,12}(\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]{0,8}(?:Z|[+-]\d\d:\d\d))/i.exec(text) ?? [];
  const parsed = iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isNaN(parsed) ? undefined : parsed;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
};
const PART =
  /(\d{1,7}(?:\.\d{1,6})?) ?(milliseconds?|ms|d(?:ays?)?|h(?:ours?|rs?)?|m(?:inutes?|ins?)?|s(?:econds?|ecs?)?)(?![a-z])/gi;

/** It reads `try again in 3 days 4 hours`, `retry in 35.5s`, `retry-after: 60` and `retryDelay":"35s"`. */
function waitTime(text: string, at: Instant): number | undefined {
  const [, seconds] =
    /retry[-_ ]?after(?:[-_ ]?seconds)?\W{1,4}(\d{1,7})\b(?! ?[a-z])/i.exec(text) ?? [];
  if (seconds !== undefined) return at + Number(seconds) * 1000;
  const [, rest] =
    /(?:again in|retry in|resets? in|retry[-_ ]?after|retry_?delay)\W{0,4}([\d.]{1,9} ?[a-z][^]{0,80})/i.exec(
      text,
    ) ?? [];
  if (rest === undefined) return undefined;
  const parts = [...rest.matchAll(PART)].map(
    ([, amount, unit = ""]) => Number(amount) * unitMs(unit),
  );
  return parts.length === 0 ? undefined : at + parts.reduce((sum, part) => sum + part, 0);
}

function unitMs(unit: string): number {
  const name = unit.toLowerCase();
  return name.startsWith("ms") || name.startsWith("milli") ? 1 : (UNIT_MS[name.charAt(0)] ?? 0);
}

/** It reads `try again at 3:05 PM`, with or without a date. The time is on the program's clock, which is this host's. */
function clockTime(text: string, at: Instant): number | undefined {
  const [, date, hour, minute, half] =
    /again at ([A-Z][a-z]{2} \d{1,2}(?:st|nd|rd|th)?, \d{4},? )?(\d{1,2}):(\d\d) ?([AP]M)/.exec(
      text,
    ) ?? [];
  if (hour === undefined) return undefined;
  const day = date === undefined ? new Date(at) : new Date(date.replace(/(st|nd|rd|th)?,/g, ""));
  const hours = (Number(hour) % 12) + (half === "PM" ? 12 : 0);
  const moment = day.setHours(hours, Number(minute), 0, 0);
  return date === undefined && moment <= at ? moment + 86_400_000 : moment;
}
