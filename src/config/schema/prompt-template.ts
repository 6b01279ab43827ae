import { didYouMean } from "../read/expectation.ts";

/** A prompt's template may ask for these. */
export const PROMPT_VARIABLES = [
  ...(["title", "id", "rules", "task", "taskFile", "history"] as const),
];

export type PromptVariable = (typeof PROMPT_VARIABLES)[number];

const VARIABLE = /\{\{([^{}]*)\}\}/g;
/** These are made of other people's words without a fence around them. */
const BARE: readonly string[] = ["title", "id"] satisfies readonly PromptVariable[];

/** Says what is wrong with a template; undefined when nothing is. */
export function promptProblem(template: string): string | undefined {
  const names = [...template.matchAll(VARIABLE)].map(([, name = ""]) => name.trim());
  const unknown = names.find((name) => !isVariable(name));
  if (unknown !== undefined) return unknownVariable(unknown);
  if (!names.includes("task") && !names.includes("taskFile")) {
    return "expected {{task}} or {{taskFile}}: without it the runner does not learn what to do";
  }
  // Some programs take a first character such as / or ! for a command to themselves.
  if (!/^\s*\p{L}/u.test(template)) return "expected a text that begins with a word";
  return template.split("\n").some(beginsWithBareWords)
    ? "expected words before {{title}} and {{id}} on their line"
    : undefined;
}

/** Puts the values in; each is put in once, so a value that looks like a variable stays as it is. */
export function fillPrompt(
  template: string,
  values: Readonly<Record<PromptVariable, string>>,
): string {
  return template.replace(VARIABLE, (whole, name: string) => {
    const variable = name.trim();
    return isVariable(variable) ? values[variable] : whole;
  });
}

function isVariable(name: string): name is PromptVariable {
  return PROMPT_VARIABLES.some((variable) => variable === name);
}

function unknownVariable(name: string): string {
  const meant = didYouMean(name, PROMPT_VARIABLES);
  const known = PROMPT_VARIABLES.map((variable) => `{{${variable}}}`).join(", ");
  return meant === undefined
    ? `unknown variable {{${name}}}; expected one of ${known}`
    : `unknown variable {{${name}}}; did you mean {{${meant}}}?`;
}

function beginsWithBareWords(line: string): boolean {
  const [, name = ""] = /^\s*\{\{([^{}]*)\}\}/.exec(line) ?? [];
  return BARE.includes(name.trim());
}
