import type { SetupWriter } from "../ports/inspection.ts";
import type { Furniture } from "./decide/decide-setup.ts";
import { reporterOf } from "./decide/finding.ts";
import type { Finding } from "./decide/finding.ts";
import { refusalFix, refusalWords } from "./decide/refusal-words.ts";

/** Makes one thing and says so, or says why not. */
export async function applySetup(one: Furniture, github: SetupWriter): Promise<Finding> {
  const what = nameOf(one);
  const say = reporterOf({ check: "setup", about: one.repo });
  const made =
    one.kind === "label"
      ? await github.createLabel(one.repo, one.label)
      : await github.createField(one.repo, one.field);
  if (made.ok) return say.ok(`made ${what}`);
  return say.problem(`could not make ${what}: ${refusalWords(made.error)}`, refusalFix(made.error));
}

function nameOf(one: Furniture): string {
  return one.kind === "label"
    ? `the label ${one.label.name} in ${one.repo}`
    : `the field ${one.field.name} (${one.field.type.toLowerCase()}) of the project`;
}
