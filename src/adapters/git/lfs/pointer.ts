/** Git has this in the place of a file's content. */
export interface Pointer {
  /** The SHA-256 of the content names it. */
  readonly oid: string;
  readonly size: number;
}

/** Git LFS takes nothing longer for a pointer. */
export const MAX_POINTER_BYTES = 1024;

const POINTER =
  /^version https?:\/\/\S+\n(?:ext-\d-\S+ \S+\n)*oid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n?$/;

export function parsePointer(text: string): Pointer | undefined {
  const [, oid, size] = POINTER.exec(text) ?? [];
  return oid === undefined || size === undefined ? undefined : { oid, size: Number(size) };
}
