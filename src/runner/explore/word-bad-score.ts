import { quote } from "../../shared/quote.ts";
import type { ScoreAnswer } from "./score-commit.ts";

/** Says why a score command told no score, as part of a sentence. */
export function wordBadScore({
  end,
  tail,
}: Pick<Extract<ScoreAnswer, { kind: "not-scored" }>, "end" | "tail">): string {
  const last = tail.trim().split("\n").at(-1) ?? "";
  const said = last === "" ? "it printed nothing" : `its last line was ${quote(last)}`;
  if (end.kind === "timed-out") return `it took too long, and ${said}`;
  const isBad = end.kind === "exited" && end.code !== 0;
  return isBad ? `it ended with exit code ${end.code}, and ${said}` : said;
}
