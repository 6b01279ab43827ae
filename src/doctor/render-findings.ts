import type { Finding, Level, Section } from "./decide/finding.ts";

const SIGNS: Readonly<Record<Level, string>> = {
  ok: "✓",
  warning: "!",
  problem: "✗",
  skipped: "-",
};

/** Writes a heading, one line for each finding, and below it what to do. */
export function renderSection({ title, findings }: Section): string {
  return [title, ...findings.map(renderFinding)].join("\n");
}

function renderFinding({ level, message, fix }: Finding): string {
  const line = `  ${SIGNS[level]} ${message}`;
  return fix === null ? line : `${line}\n      → ${fix}`;
}

/** Counts problems and warnings in one line. */
export function renderSummary(findings: readonly Finding[]): string {
  const parts = [
    counted(findings, "problem", "problem"),
    counted(findings, "warning", "warning"),
  ].filter((part) => part !== "");
  if (parts.length === 0) return "everything is in order";
  return isSound(findings) ? `it works; ${parts.join(", ")}` : parts.join(", ");
}

function counted(findings: readonly Finding[], level: Level, word: string): string {
  const count = findings.filter((finding) => finding.level === level).length;
  if (count === 0) return "";
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** Says whether nothing is wrong. A check that could not be made always has a problem beside it. */
export function isSound(findings: readonly Finding[]): boolean {
  return findings.every(({ level }) => level !== "problem");
}

/** Writes everything as one JSON value, for scripts. */
export function jsonOfFindings(findings: readonly Finding[], made: readonly string[]): string {
  return JSON.stringify({ ok: isSound(findings), findings, made }, undefined, 2);
}
