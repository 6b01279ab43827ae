import { invalid, Problem } from "../../model/problem.ts";

export type Json = Readonly<Record<string, unknown>>;

export function objectBody(body: unknown): Json {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return { ...body };
  return {};
}

export function optionalText(body: unknown, field: string): string | undefined {
  const value = objectBody(body)[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw wrongType(field, "a string");
  return value;
}

export function requiredText(body: unknown, field: string): string {
  const value = optionalText(body, field);
  if (value === undefined || value === "") {
    throw invalid({ resource: "Request", field, code: "missing_field" });
  }
  return value;
}

export function requiredInteger(body: unknown, field: string): number {
  const value = objectBody(body)[field];
  if (!Number.isInteger(value)) throw wrongType(field, "an integer");
  return Number(value);
}

export function optionalBoolean(body: unknown, field: string): boolean | undefined {
  const value = objectBody(body)[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "boolean") throw wrongType(field, "a boolean");
  return value;
}

export function optionalTexts(body: unknown, field: string): readonly string[] | undefined {
  const value = objectBody(body)[field];
  return value === undefined ? undefined : textsOf(value, field);
}

export function optionalIntegers(body: unknown, field: string): readonly number[] | undefined {
  const value = objectBody(body)[field];
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((one) => Number.isInteger(one))) {
    throw wrongType(field, "a list of integers");
  }
  return value.map(Number);
}

/** Reads a list of names, or of objects with a name, as the labels endpoints take them. */
export function textsOf(value: unknown, field: string): readonly string[] {
  if (!Array.isArray(value)) throw wrongType(field, "a list");
  return value.map((one: unknown) => {
    const name = typeof one === "string" ? one : objectBody(one)["name"];
    if (typeof name !== "string") throw wrongType(field, "a list of strings");
    return name;
  });
}

export function oneOf<Choice extends string>(
  body: unknown,
  field: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = optionalText(body, field);
  if (value === undefined) return undefined;
  const choice = choices.find((known) => known === value);
  if (choice === undefined) throw wrongType(field, `one of ${choices.join(", ")}`);
  return choice;
}

/** Makes an object with one member, or with none when the value was not given. */
export function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  const member = value === undefined ? {} : { [name]: value };
  // A computed name loses its literal type.
  return member as { readonly [Key in Name]?: Value };
}

function wrongType(field: string, expected: string): Problem {
  return new Problem(422, `Invalid request.\n\nFor '${field}', expected ${expected}.`);
}
