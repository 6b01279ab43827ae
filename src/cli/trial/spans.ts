/** A span is something that took time: a run or the verification of a candidate. */
export interface Span {
  readonly task: string;
  readonly kind: "run" | "verify";
  readonly startedAt: number;
  readonly finishedAt: number;
}

/** Returns the largest number of runs at the same moment; one that ends when another starts does not overlap it. */
export function maxParallel(
  spans: readonly Pick<Span, "kind" | "startedAt" | "finishedAt">[],
): number {
  const edges = spans
    .filter((span) => span.kind === "run")
    .flatMap((span) => [
      { at: span.startedAt, step: 1 },
      { at: span.finishedAt, step: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.step - b.step);
  let now = 0;
  let most = 0;
  for (const { step } of edges) {
    now += step;
    most = Math.max(most, now);
  }
  return most;
}

export function serialTime(spans: readonly Pick<Span, "startedAt" | "finishedAt">[]): number {
  return spans.reduce((sum, { startedAt, finishedAt }) => sum + finishedAt - startedAt, 0);
}
