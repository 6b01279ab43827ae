import { fitText, printable, textWidth } from "./terminal-text.ts";

export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
}

const GAP = "  ";

/** Makes columns as wide as their content; the last one takes what is left of the line. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string {
  const lines = [columns.map(({ title }) => title), ...rows].map((cells) => cells.map(printable));
  const widths = columnWidths(lines, width);
  return lines
    .map((cells) =>
      columns
        .map(({ align }, at) => fitText(cells[at] ?? "", widths[at] ?? 0, align))
        .join(GAP)
        .trimEnd(),
    )
    .join("\n");
}

function columnWidths(lines: readonly (readonly string[])[], width: number): readonly number[] {
  const count = lines[0]?.length ?? 0;
  const natural = Array.from({ length: count }, (_, at) =>
    lines.reduce((widest, cells) => Math.max(widest, textWidth(cells[at] ?? "")), 0),
  );
  // No column but the last may take more than a third of the line.
  const most = Math.max(8, Math.floor(width / 3));
  const widths = natural.map((wide, at) => (at === count - 1 ? wide : Math.min(wide, most)));
  const before = widths.slice(0, -1).reduce((sum, wide) => sum + wide + GAP.length, 0);
  const last = Math.min(widths.at(-1) ?? 0, Math.max(8, width - before));
  return [...widths.slice(0, -1), last];
}
