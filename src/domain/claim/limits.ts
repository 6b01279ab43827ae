/** Longest declared pattern, in characters. */
export const MAX_PATTERN_LENGTH = 1024;
/** Most claims that one task may declare; whoever reads the task enforces it. */
export const MAX_CLAIMS_PER_TASK = 200;
/** Most alternatives that one pattern may stand for; beyond it the pattern is widened to its directory. */
export const MAX_ALTERNATIVES = 512;
/** Most alternatives of one exclusion. */
export const MAX_EXCLUSION_ALTERNATIVES = 64;
/** With more alternatives of exclusions than this, a task is planned as if it had none; checking applies them all. */
export const MAX_PLANNED_EXCLUSIONS = 64;
/** Most alternatives kept for one task; beyond it its largest patterns are widened. */
export const MAX_ALTERNATIVES_PER_TASK = 1024;
/** Deepest nesting of braces and groups; people write two or three. */
export const MAX_NESTING = 8;
/** Most characters that `[…]` may name. */
export const MAX_CLASS_SIZE = 256;
