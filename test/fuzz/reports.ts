import { expect } from "vitest";
import { effectsOf } from "./github-markdown.ts";

/** The same view with a harmless word in the place of each of someone's. */
export type Render = (said: (text: string) => string) => string;

const EFFECTS = new Map<string, readonly string[]>();

/** There are few reports of harmless words, and each is met thousands of times. */
function knownEffectsOf(report: string): readonly string[] {
  const known = EFFECTS.get(report) ?? effectsOf(report);
  EFFECTS.set(report, known);
  return known;
}

/**
 * Someone's words add nothing: the report does what it does with harmless words in their place. References to issues
 * that our own sentences name may be there beside.
 */
export function expectNothingAdded(render: Render, ours: ReadonlySet<string> = new Set()): void {
  const report = render((text) => text);
  const harmless = knownEffectsOf(render((text) => (text.trim() === "" ? "" : "word")));
  const effects = effectsOf(report).filter((effect) => !ours.has(effect));
  expect(effects, report).toEqual(harmless.filter((effect) => !ours.has(effect)));
}

/** What a runner is told begins with our words, and holds nothing that a reader of the page does not see. */
export function expectPlainPrompt(prompt: string): void {
  expect(prompt).toMatch(/^Do one task in this git repository: [^\n]*\n\nRules:\n/);
  expect(prompt.replaceAll("@\u200B", "@")).not.toMatch(/[\p{Cf}\p{Cs}\p{Co}]/u);
}
