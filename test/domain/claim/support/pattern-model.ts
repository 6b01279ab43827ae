import fc from "../../../support/fast-check.ts";

/** A pattern as its meaning; the tests' own idea of the dialect, which shares no code with the product. */
export interface PatternModel {
  readonly parts: readonly Part[];
  readonly endsWithSlash: boolean;
}

/** Either `**` or a name. */
export type Part = "**" | readonly Atom[];

export type Atom =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "class"; readonly members: string; readonly isNegated: boolean };

export function patternText({ parts, endsWithSlash }: PatternModel): string {
  const names = parts.map((part) => (part === "**" ? part : part.map(atomText).join("")));
  return names.join("/") + (endsWithSlash ? "/" : "");
}

function atomText(atom: Atom): string {
  switch (atom.kind) {
    case "char":
      return atom.char;
    case "any":
      return "?";
    case "star":
      return "*";
    case "class":
      return `[${atom.isNegated ? "!" : ""}${atom.members}]`;
  }
}

export interface ModelSize {
  readonly alphabet: readonly string[];
  readonly maxParts: number;
  readonly maxAtoms: number;
}

export function patternModels(size: ModelSize): fc.Arbitrary<PatternModel> {
  const name = fc
    .array(atoms(size.alphabet), { minLength: 1, maxLength: size.maxAtoms })
    .filter(isOrdinaryName);
  const part: fc.Arbitrary<Part> = fc.oneof(
    { weight: 5, arbitrary: name },
    { weight: 2, arbitrary: fc.constant<Part>("**") },
  );
  return fc.record({
    parts: fc.array(part, { minLength: 1, maxLength: size.maxParts }),
    endsWithSlash: fc.nat(7).map((n) => n === 0),
  });
}

function atoms(alphabet: readonly string[]): fc.Arbitrary<Atom> {
  const char = fc.constantFrom(...alphabet);
  // A digit comes first: `[ab]` could also be the name of a route's directory, which has its own tests.
  const members = fc.uniqueArray(char, { minLength: 1, maxLength: 2 }).map((m) => `0${m.join("")}`);
  return fc.oneof(
    { weight: 8, arbitrary: char.map((c): Atom => ({ kind: "char", char: c })) },
    { weight: 3, arbitrary: fc.constant<Atom>({ kind: "star" }) },
    { weight: 1, arbitrary: fc.constant<Atom>({ kind: "any" }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("class" as const),
        members,
        isNegated: fc.boolean(),
      }),
    },
  );
}

/** Not `.`, `..`, `**`, or a name with `**` in it. */
function isOrdinaryName(name: readonly Atom[]): boolean {
  const text = name.map(atomText).join("");
  return !/^\.{1,2}$/.test(text) && !text.includes("**");
}

/** The name, if it has no special character. */
export function plainName(part: Part | undefined): string | undefined {
  if (part === undefined || part === "**") return undefined;
  return part.every((atom) => atom.kind === "char") ? part.map(atomText).join("") : undefined;
}

/** The same pattern in lower case. */
export function lowerCase(model: PatternModel): PatternModel {
  const parts = model.parts.map((part) => (part === "**" ? part : part.map(lowerAtom)));
  return { ...model, parts };
}

function lowerAtom(atom: Atom): Atom {
  if (atom.kind === "char") return { ...atom, char: atom.char.toLowerCase() };
  return atom.kind === "class" ? { ...atom, members: atom.members.toLowerCase() } : atom;
}
