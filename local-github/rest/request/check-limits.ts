import type { CheckRunEdit } from "../../actions/checks.ts";
import { invalid, Problem } from "../../model/problem.ts";

const MAX_TEXT = 65_535;
const MAX_ACTIONS = 3;
const MAX_ANNOTATIONS = 50;
const MAX_OF_ACTION = { label: 20, description: 40, identifier: 20 } as const;

/** Refuses a check run that has more to say than GitHub takes with one request. */
export function refuseLongCheck({ output, actions = [], annotations = [] }: CheckRunEdit): void {
  refuseMany(actions.length, MAX_ACTIONS);
  refuseMany(annotations.length, MAX_ANNOTATIONS);
  for (const action of actions) {
    for (const field of ["label", "description", "identifier"] as const)
      refuseCharacters(action[field], MAX_OF_ACTION[field]);
  }
  for (const field of ["summary", "text"] as const) {
    const text = output?.[field] ?? "";
    refuseCharacters(text, MAX_TEXT);
    if (Buffer.byteLength(text) <= MAX_TEXT) continue;
    const message = `${field} exceeds a maximum bytesize of ${MAX_TEXT}`;
    throw invalid({ resource: "CheckRun", code: "custom", field, message });
  }
}

function refuseMany(count: number, max: number): void {
  if (count <= max) return;
  throw new Problem(
    422,
    `Invalid request.\n\nNo more than ${max} items are allowed; ${count} were supplied.`,
  );
}

function refuseCharacters(text: string, max: number): void {
  const { length } = Array.from(text);
  if (length <= max) return;
  throw new Problem(
    422,
    `Invalid request.\n\nOnly ${max} characters are allowed; ${length} were supplied.`,
  );
}
