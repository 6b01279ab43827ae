const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const UNITS = ["bytes", "KB", "MB", "GB"] as const;

/** Writes `40 s`, `4 min 10 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (ms < HOUR_MS) return twoParts(`${Math.floor(seconds / 60)} min`, seconds % 60, "s");
  const minutes = Math.round(ms / MINUTE_MS);
  return twoParts(`${Math.floor(minutes / 60)} h`, minutes % 60, "min");
}

/** Writes `2026-01-05 14:03 UTC`. */
export function formatInstant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Writes `14:03 UTC`. */
export function formatTimeOfDay(at: number): string {
  return `${new Date(at).toISOString().slice(11, 16)} UTC`;
}

/** Writes one digit after the point, unless it is zero: `10 GB`, `1.5 GB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  const amount = (bytes / 1024 ** power).toFixed(1).replace(/\.0$/, "");
  return `${amount} ${UNITS[power] ?? ""}`;
}

function twoParts(whole: string, rest: number, unit: string): string {
  return rest === 0 ? whole : `${whole} ${rest} ${unit}`;
}
