import { plainName } from "./pattern-model.ts";
import type { Atom, Part, PatternModel } from "./pattern-model.ts";

/** What a pattern stands for after its last name. */
export type Reach = "exactly" | "exactly-or-below" | "below";

export function reachOf({ parts, endsWithSlash }: PatternModel): Reach {
  if (endsWithSlash || parts.at(-1) === "**") return "below";
  const name = plainName(parts.at(-1));
  return name === undefined || /[^.].*\.[a-z0-9]*[a-z][a-z0-9]*$/i.test(name)
    ? "exactly"
    : "exactly-or-below";
}

/** Tries every way; exponential, and obviously right. */
export function naiveMatches(model: PatternModel, path: string): boolean {
  const parts = model.parts.at(-1) === "**" ? model.parts.slice(0, -1) : model.parts;
  return matchParts(parts, path.split("/"), reachOf(model));
}

/** Whether the path lies below one that the pattern matches. */
export function naiveMatchesAbove(model: PatternModel, path: string): boolean {
  const names = path.split("/");
  return names.some((_, i) => i > 0 && naiveMatches(model, names.slice(0, i).join("/")));
}

function matchParts(parts: readonly Part[], names: readonly string[], reach: Reach): boolean {
  const [part, ...rest] = parts;
  if (part === undefined) return ends(names, reach);
  if (part === "**")
    return (
      names.some((_, i) => matchParts(rest, names.slice(i), reach)) || matchParts(rest, [], reach)
    );
  const [name, ...others] = names;
  return name !== undefined && matchName(part, name) && matchParts(rest, others, reach);
}

function ends(left: readonly string[], reach: Reach): boolean {
  if (reach === "exactly-or-below") return true;
  return reach === "below" ? left.length > 0 : left.length === 0;
}

function matchName(atoms: readonly Atom[], name: string): boolean {
  const [atom, ...rest] = atoms;
  if (atom === undefined) return name === "";
  if (atom.kind === "star") {
    return matchName(rest, name) || (name !== "" && matchName(atoms, name.slice(1)));
  }
  return name !== "" && matchCharacter(atom, name.charAt(0)) && matchName(rest, name.slice(1));
}

function matchCharacter(atom: Exclude<Atom, { kind: "star" }>, char: string): boolean {
  if (atom.kind === "char") return atom.char === char;
  if (atom.kind === "any") return true;
  if (!atom.isNegated) return atom.members.includes(char);
  return !atom.members.toLowerCase().includes(char.toLowerCase());
}
