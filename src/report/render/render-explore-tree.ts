import type { Evaluation } from "../../domain/explore/evaluations.ts";
import type { Exploration } from "../../domain/exploration.ts";
import { wordFate } from "../../domain/explore/words.ts";
import { mermaidText } from "./escape-markdown.ts";

/** A picture of more of them cannot be read. */
const MAX_PICTURED_EVALUATIONS = 120;
const MAX_IDEA_LENGTH = 40;
const MAX_FATE_LENGTH = 60;

/** It says by its outline what the words in it say, too. */
interface Shape {
  readonly open: string;
  readonly close: string;
  readonly look: keyof typeof LOOKS | undefined;
}

/** Lines look the same on a light page and on a dark one. */
const LOOKS = {
  winner: "stroke-width:4px",
  promoted: "stroke-width:2px",
  failed: "stroke-dasharray:6 4",
  open: "stroke-dasharray:2 3",
} as const;

const WINNER: Shape = { open: "{{", close: "}}", look: "winner" };
const PROMOTED: Shape = { open: "([", close: "])", look: "promoted" };
const FAILED: Shape = { open: "[/", close: "/]", look: "failed" };
const OPEN: Shape = { open: "[", close: "]", look: "open" };
const OTHER: Shape = { open: "[", close: "]", look: undefined };

/** Draws the base and what was tried from it as a Mermaid flowchart; it is empty when there is nothing to draw, or too much. */
export function renderExploreTree(
  exploration: Exploration,
  evaluations: readonly Evaluation[],
): string {
  const count = evaluations.length;
  if (count === 0 || count > MAX_PICTURED_EVALUATIONS) return "";
  const { base, plan } = exploration;
  const score = plan.baseScore === undefined ? "" : `<br/>${plan.baseScore}`;
  const root = `  n0[("base ${base.slice(0, 7)}${score}")]`;
  const nodes = evaluations.map((one) => renderNode(one, exploration));
  const looks = Object.entries(LOOKS).map(([look, lines]) => `  classDef ${look} ${lines}`);
  return ["```mermaid", "flowchart LR", root, ...nodes, ...looks, "```"].join("\n");
}

function renderNode(one: Evaluation, exploration: Exploration): string {
  const { open, close, look } = shapeOf(one, exploration);
  const idea = mermaidText(one.idea, MAX_IDEA_LENGTH);
  const label = `${one.number} · ${idea}<br/>${fateOf(one, exploration)}`;
  const named = look === undefined ? "" : `:::${look}`;
  return `  n${one.parent} --> n${one.number}${open}"${label}"${close}${named}`;
}

function shapeOf({ number, state, promoted }: Evaluation, { end }: Exploration): Shape {
  if (end?.winner === number) return WINNER;
  if (promoted) return PROMOTED;
  if (state === "succeeded") return OTHER;
  return state === "failed" ? FAILED : OPEN;
}

/** One that was passed over shows its score alone. */
function fateOf(one: Evaluation, exploration: Exploration): string {
  const fate = mermaidText(wordFate(one, exploration), MAX_FATE_LENGTH);
  if (one.score === undefined) return fate;
  const isTaken = one.promoted || exploration.end?.winner === one.number;
  return isTaken ? `${one.score}, ${fate}` : String(one.score);
}
