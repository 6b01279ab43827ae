/** Tells a path or pattern from a word of prose: no blank inside, and a separator, a star or an extension. */
export function looksLikePath(text: string): boolean {
  const trimmed = text.trim();
  if (/\s/.test(trimmed)) return false;
  return trimmed.includes("/") || trimmed.includes("*") || /\.\w/.test(trimmed);
}
