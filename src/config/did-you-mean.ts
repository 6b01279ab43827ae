/** The known word that a mistyped one was most likely meant to be; undefined when none is near. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  if (word.length > 60) return undefined;
  const typed = word.toLowerCase();
  const near = known
    .map((candidate) => ({ candidate, distance: editDistance(typed, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= (candidate.length < 4 ? 1 : 2))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.candidate;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
