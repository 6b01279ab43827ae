export interface Goal {
  readonly text: string;
  readonly isMet: boolean;
  readonly measured: string;
}

/** Left-aligned first column, the others right-aligned. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join("  "),
  );
  return lines.join("\n");
}

export function goalText({ text, isMet, measured }: Goal): string {
  return `${isMet ? "PASS" : "FAIL"}  ${text}: ${measured}`;
}

export function msText(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(2)} s`;
}
