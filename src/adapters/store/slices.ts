/** Engines limit how many values one statement may carry; 500 is below every limit. */
export function slices<T>(values: readonly T[], size = 500): T[][] {
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, i) => values.slice(i * size, (i + 1) * size));
}
