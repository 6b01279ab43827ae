import type { Finding } from "../../src/doctor/decide/finding.ts";

/** Each finding as one line: `problem git: what is wrong → what to do`. */
export function told(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ check, level, message, fix }) => {
    const what = `${level} ${check}: ${message}`;
    return fix === null ? what : `${what} → ${fix}`;
  });
}
