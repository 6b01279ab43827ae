const UNITS = ["bytes", "KB", "MB", "GB"] as const;

/** With one digit after the point where there is one to say: `10 GB`, `1.5 GB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  const amount = (bytes / 1024 ** power).toFixed(1).replace(/\.0$/, "");
  return `${amount} ${UNITS[power] ?? ""}`;
}
