/** The first ones by name and the number of the rest. */
export function joinSome(items: readonly string[], most: number): string {
  const rest = items.length - most;
  return rest <= 0 ? items.join(", ") : `${items.slice(0, most).join(", ")} and ${rest} more`;
}
