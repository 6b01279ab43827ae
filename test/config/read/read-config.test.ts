import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { operatorJsonSchema } from "../../../src/config/operator/read-operator-config.ts";
import { repoJsonSchema } from "../../../src/config/repository/read-repo-config.ts";

describe("published JSON Schemas", () => {
  it.each([
    ["wavetrain.schema.json", repoJsonSchema()],
    ["wavetrain.config.schema.json", operatorJsonSchema()],
  ])(
    "docs/schema/%s is up to date (renew it with: npx vitest run test/config -u)",
    async (file, schema) => {
      const text = await format(JSON.stringify(schema), { parser: "json", printWidth: 100 });
      await expect(text).toMatchFileSnapshot(`../../../docs/schema/${file}`);
    },
  );

  it("accepts what people write and refuses what we refuse", () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const accepts = ajv.compile(repoJsonSchema());
    expect(accepts({ timeouts: { run: "90s" }, limits: { parallel: 2 } })).toBe(true);
    expect(accepts({ timeouts: { run: "soon" } })).toBe(false);
    expect(accepts({ tiemouts: {} })).toBe(false);
    const operator = ajv.compile(operatorJsonSchema());
    expect(operator({ runners: { codex: { command: "codex" } } })).toBe(true);
    expect(operator({})).toBe(false);
  });
});
