const MARKER = /<!-- wavetrain:id=([A-Za-z0-9._-]{1,64}) -->/;

/** The id that an imported task had in its file, kept in a hidden marker of the body. */
export function aliasOf(body: string): string | undefined {
  return MARKER.exec(body)?.[1];
}

export function aliasMarker(alias: string): string {
  return `<!-- wavetrain:id=${alias} -->`;
}
