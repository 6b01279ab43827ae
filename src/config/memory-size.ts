import * as z from "zod";

const UNIT_BYTES = { MB: 2 ** 20, GB: 2 ** 30 } as const;
const EXPECTED = "expected an amount of memory such as 512MB or 2GB, or a number of bytes";

/** `512MB`, `2GB` or a number of bytes; read as bytes. */
export const memorySize = z
  .union(
    [z.number().int().nonnegative(), z.string().regex(/^\d{1,6}(MB|GB)$/, { error: EXPECTED })],
    { error: EXPECTED },
  )
  .transform((value) => (typeof value === "number" ? value : bytesOf(value)));

function bytesOf(text: string): number {
  return Number.parseInt(text, 10) * UNIT_BYTES[text.slice(-2) as keyof typeof UNIT_BYTES];
}
