import type { ConflictGraph } from "./conflict-graph.ts";

/** Where more than one pair in eight conflicts, looking at every pair is cheaper than listing neighbours. */
const DENSE = 8;

export function visitNeighbours(
  graph: ConflictGraph,
  at: number,
  visit: (other: number) => void,
): void {
  if (graph.degree(at) * DENSE < graph.size) {
    for (const other of graph.neighbours(at)) visit(other);
    return;
  }
  for (let other = 0; other < graph.size; other += 1) {
    if (graph.conflicts(at, other)) visit(other);
  }
}
