import { cutText, fitText, printable, textWidth } from "./terminal-text.ts";

interface Bar {
  readonly lane: string;
  readonly label: string;
  readonly startMs: number;
  readonly endMs: number;
}

const TICK_MINUTES = [0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440, 10_080];
const TICK_SPACE = 12;

/** Draws one line for each lane, in the order given, over a common axis of time. */
export function renderTimeline(bars: readonly Bar[], width: number): string {
  const endMs = bars.reduce((latest, bar) => Math.max(latest, bar.endMs), 0);
  if (endMs <= 0) return "";
  const lanes = [...new Set(bars.map(({ lane }) => lane))];
  const margin = Math.max(...lanes.map((lane) => textWidth(printable(lane)))) + 1;
  const scale = { columns: Math.max(20, width - margin), endMs };
  const drawn = lanes.map((lane) => {
    const own = bars.filter((bar) => bar.lane === lane);
    return fitText(printable(lane), margin) + drawLane(own, scale);
  });
  return [...drawn, " ".repeat(margin) + drawAxis(scale)].map((line) => line.trimEnd()).join("\n");
}

interface Scale {
  readonly columns: number;
  readonly endMs: number;
}

function columnOf(ms: number, { columns, endMs }: Scale): number {
  return Math.round((ms / endMs) * columns);
}

function drawLane(bars: readonly Bar[], scale: Scale): string {
  let line = "";
  let used = 0;
  for (const bar of bars.toSorted((a, b) => a.startMs - b.startMs)) {
    const from = Math.max(used, columnOf(bar.startMs, scale));
    const to = Math.max(columnOf(bar.endMs, scale), columnOf(bar.startMs, scale) + 1);
    // A task that ends in a column that is drawn already shares the mark there.
    if (to <= from || from >= scale.columns) continue;
    line += " ".repeat(from - used) + drawBar(bar.label, to - from);
    used = to;
  }
  return line;
}

function drawBar(label: string, width: number): string {
  if (width < 3) return "▪".repeat(width);
  const text = cutText(printable(label), width - 2);
  return `├${text}${"─".repeat(width - 2 - textWidth(text))}┤`;
}

function drawAxis(scale: Scale): string {
  const wanted = (scale.endMs / scale.columns) * TICK_SPACE;
  const stepMs = (TICK_MINUTES.find((minutes) => minutes * 60_000 >= wanted) ?? 10_080) * 60_000;
  const count = Math.min(scale.columns, Math.floor(scale.endMs / stepMs));
  let line = "";
  for (let tick = 0; tick <= count; tick += 1) {
    line = line.padEnd(columnOf(tick * stepMs, scale)) + clockText(tick * stepMs);
  }
  return line;
}

/** Writes a length of time to the second: `4:05`, `1:02:03`. */
export function clockText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown
    .map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, "0")))
    .join(":");
}

/** Writes a short time to a tenth of a second: `4.2 s`. */
export function secondsText(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
}
