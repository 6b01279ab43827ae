import { cleanLine, cleanText } from "../shared/clean-text.ts";
import { codeFence } from "../shared/code-fence.ts";
import type { Proposal } from "./proposal.ts";

const SLUG_LENGTH = 50;

export interface AdrPlace {
  readonly folder: string;
  /** Numbers decisions, so that two objectives never take the same number. */
  readonly issue: number;
}

/** `docs/adr/0012-one-cart-for-all.md`. */
export function adrPath({ title }: Pick<Proposal["adr"], "title">, place: AdrPlace): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ["decision"];
  const slug = words.join("-").slice(0, SLUG_LENGTH).replace(/-+$/, "");
  return `${place.folder}/${String(place.issue).padStart(4, "0")}-${slug}.md`;
}

/** The decision as a file of the repository. */
export function renderAdr(adr: Proposal["adr"], issue: number): string {
  const section = (title: string, text: string): string => `## ${title}\n\n${cleanText(text)}`;
  return [
    `# ${cleanLine(adr.title, 120)}`,
    `Objective: #${issue}`,
    section("Context", adr.context),
    section("Decision", adr.decision),
    section("Consequences", adr.consequences),
  ].join("\n\n");
}

/** What the first task of an objective asks for. */
export function renderAdrTask(adr: Proposal["adr"], place: AdrPlace): string {
  const request = `Put the decision on record: write \`${adrPath(adr, place)}\` with this text. Edit the text here first if the decision is another.`;
  return `${request}\n\n${codeFence(renderAdr(adr, place.issue))}`;
}
