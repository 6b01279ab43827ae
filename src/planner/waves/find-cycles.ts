/**
 * Finds groups of nodes that reach each other, each in ascending order. A node alone counts only if it has an edge to
 * itself. This is Kosaraju's algorithm with explicit stacks: a chain of ten thousand dependencies must not overflow the
 * call stack.
 */
export function findCycles(edges: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const reversed = reverse(edges);
  const seen = new Uint8Array(edges.length);
  const groups: number[][] = [];
  for (const root of postorder(edges).reverse()) {
    if (seen[root] === 0) groups.push(reachable(root, reversed, seen));
  }
  return groups
    .filter((group) => group.length > 1 || isOwnTarget(group[0], edges))
    .map((group) => group.sort((a, b) => a - b))
    .sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
}

function isOwnTarget(node: number | undefined, edges: readonly (readonly number[])[]): boolean {
  return node !== undefined && (edges[node] ?? []).includes(node);
}

export function reverse(edges: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const reversed: number[][] = edges.map(() => []);
  edges.forEach((targets, from) => {
    for (const to of targets) reversed[to]?.push(from);
  });
  return reversed;
}

function postorder(edges: readonly (readonly number[])[]): number[] {
  const seen = new Uint8Array(edges.length);
  const order: number[] = [];
  for (let root = 0; root < edges.length; root += 1) {
    if (seen[root] === 1) continue;
    seen[root] = 1;
    const stack = [{ node: root, next: 0 }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const to = edges[top.node]?.[top.next];
      top.next += 1;
      if (to === undefined) order.push(stack.pop()?.node ?? root);
      else if (seen[to] === 0) {
        seen[to] = 1;
        stack.push({ node: to, next: 0 });
      }
    }
  }
  return order;
}

function reachable(root: number, edges: readonly (readonly number[])[], seen: Uint8Array) {
  seen[root] = 1;
  const found = [root];
  for (const node of found) {
    for (const to of edges[node] ?? []) {
      if (seen[to] === 1) continue;
      seen[to] = 1;
      found.push(to);
    }
  }
  return found;
}
