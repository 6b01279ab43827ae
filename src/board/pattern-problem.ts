const DRIVE = /^[A-Za-z]:/;
/** Control characters, and those that show as nothing or turn the writing round. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const MAX_LENGTH = 1024;

/** Why a declared pattern cannot be used, as the end of a sentence; undefined for one that can. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern === "") return "no path follows";
  if (pattern.length > MAX_LENGTH) return `longer than ${MAX_LENGTH} characters`;
  if (HIDDEN.test(pattern)) return "it has a character that cannot be seen";
  return shapeProblem(pattern) ?? segmentProblem(pattern);
}

function shapeProblem(pattern: string): string | undefined {
  if (pattern.includes("://")) return "a link is not a path; write the path";
  if (pattern.startsWith("/") || pattern.startsWith("~") || DRIVE.test(pattern)) {
    return "an absolute path; paths start at the repository's root";
  }
  if (pattern.includes("\\")) return 'a backslash; "/" separates folders';
  if (pattern.startsWith("<")) return "HTML is not a path";
  if (pattern.includes("`")) return "a backtick without its partner";
  return undefined;
}

function segmentProblem(pattern: string): string | undefined {
  const segments = pattern.toLowerCase().split(/[/{},]/);
  if (segments.includes("..")) return '".." could leave the repository';
  if (segments.includes(".git")) return '".git" belongs to git';
  return undefined;
}
