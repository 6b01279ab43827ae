/** A declared pattern may have this many characters. */
export const MAX_PATTERN_LENGTH = 1024;
/** One task may declare this many claims; whoever reads the task enforces it. */
export const MAX_CLAIMS_PER_TASK = 200;
/** One pattern may stand for this many alternatives; beyond it the pattern is widened to its directory. */
export const MAX_ALTERNATIVES = 512;
/** One exclusion may stand for this many alternatives. */
export const MAX_EXCLUSION_ALTERNATIVES = 64;
/** With more alternatives of exclusions than this, a task is planned as if it had none; checking applies them all. */
export const MAX_PLANNED_EXCLUSIONS = 64;
/** This many alternatives are kept for one task; beyond it its largest patterns are widened. */
export const MAX_ALTERNATIVES_PER_TASK = 1024;
/** Braces and groups may be nested this deep; people write two or three levels. */
export const MAX_NESTING = 8;
/** One `[…]` may name this many characters. */
export const MAX_CLASS_SIZE = 256;
