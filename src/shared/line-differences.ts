/** A larger table is not worth its time: everything between the first and the last difference is told as one difference. */
const MAX_CELLS = 1_000_000;

/** Lists the lines that went, each after `- `, and those that came, after `+ `, in the order of the text; lines that stayed are left out. */
export function lineDifferences(before: string, after: string): readonly string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const changed = {
    old: old.slice(start, old.length - end),
    now: now.slice(start, now.length - end),
  };
  return changed.old.length * changed.now.length > MAX_CELLS
    ? [...changed.old.map(gone), ...changed.now.map(come)]
    : walk(changed, commonLengths(changed));
}

interface Changed {
  readonly old: readonly string[];
  readonly now: readonly string[];
}

/** Counts the lines that the rests of both texts have in common, for each pair of beginnings. */
function commonLengths({ old, now }: Changed): readonly Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const row = rows[i];
      if (row === undefined) continue;
      row[j] =
        old[i] === now[j]
          ? 1 + at(rows, i + 1, j + 1)
          : Math.max(at(rows, i + 1, j), at(rows, i, j + 1));
    }
  return rows;
}

function walk({ old, now }: Changed, common: readonly Uint32Array[]): readonly string[] {
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) [i, j] = [i + 1, j + 1];
    else if (at(common, i + 1, j) >= at(common, i, j + 1)) lines.push(gone(old[i++] ?? ""));
    else lines.push(come(now[j++] ?? ""));
  }
  return [...lines, ...old.slice(i).map(gone), ...now.slice(j).map(come)];
}

function at(rows: readonly Uint32Array[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}

function gone(line: string): string {
  return `- ${line}`;
}

function come(line: string): string {
  return `+ ${line}`;
}
