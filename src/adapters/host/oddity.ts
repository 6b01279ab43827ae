/** Something of the data folder that nobody understands, or that cannot be deleted. */
export interface Oddity {
  /** Below the data folder. */
  readonly path: string;
  readonly why: string;
  /** Where it is now, below the data folder; undefined when it could not be moved either. */
  readonly movedTo: string | undefined;
}

/** As a sentence for people. */
export function describeOddity({ path, why, movedTo }: Oddity): string {
  return movedTo === undefined
    ? `${path} in the data folder is in the way and cannot be moved: ${why}`
    : `${path} in the data folder was moved to ${movedTo}: ${why}`;
}
