import { readYaml } from "./yaml-source.ts";

/** Whether a repository's file says which project is its board; the settings alone cannot tell, they have a default. */
export function namesProject(text: string): boolean {
  return namesProjectIn(readYaml(text, "").value);
}

export function namesProjectIn(settings: unknown): boolean {
  return memberOf(memberOf(settings, "board"), "project") !== undefined;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}
