import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  operatorJsonSchema,
  readOperatorConfig,
} from "../../src/config/operator/read-operator-config.ts";
import type { JsonSchema } from "../../src/config/read/read-config.ts";
import { repoJsonSchema, readRepoConfig } from "../../src/config/repository/read-repo-config.ts";

const page = readFileSync("docs/configuration.md", "utf8");
const entries = page.split("\n").filter((line) => line.startsWith("- `"));

/** One entry for every value of a schema, groups opened: key, default, meaning. */
function entriesOf(schema: JsonSchema, path: readonly string[] = []): readonly string[] {
  if (schema.properties !== undefined) {
    return Object.entries(schema.properties).flatMap(([key, member]) =>
      entriesOf(member, [...path, key]),
    );
  }
  const rest = schema.additionalProperties;
  if (typeof rest === "object" && rest.properties !== undefined) {
    return entriesOf(rest, [...path, "<name>"]);
  }
  return [`- \`${path.join(".")}\`${defaultText(schema)}: ${schema.description ?? ""}`];
}

function defaultText(schema: JsonSchema): string {
  if (schema.default === undefined) return "";
  const value = schema.default;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = items.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
  return texts.length === 0 ? "" : ` = ${texts.map((text) => `\`${text}\``).join(", ")}`;
}

/** The YAML examples of the page, in order. */
function examples(): readonly string[] {
  return [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text]) => text ?? "");
}

describe("docs/configuration.md", () => {
  const known = [...entriesOf(repoJsonSchema()), ...entriesOf(operatorJsonSchema())];

  it.each(known)("has the entry %s", (entry) => {
    expect(entries).toContain(entry);
  });

  it("has no entry for a key that is gone", () => {
    expect(entries.filter((entry) => !known.includes(entry))).toEqual([]);
  });

  it("shows examples that can be used as they are", () => {
    const [repository = "", operator = ""] = examples();
    const noOverrides = {
      apiUrl: undefined,
      gitUrl: undefined,
      dataDir: undefined,
      databaseUrl: undefined,
      host: undefined,
      port: undefined,
    };
    expect(readRepoConfig(repository)).toMatchObject({ ok: true });
    expect(readOperatorConfig({ text: operator, file: "x" }, noOverrides)).toMatchObject({
      ok: true,
    });
  });
});
