import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

const PURE_FILES = [
  "src/{domain,planner}/**/*.ts",
  "src/**/decide.ts",
  "src/**/decide-*.ts",
  "src/**/{order,turn-order}.ts",
  "src/report/render-*.ts",
  "src/board/**/*.ts",
  "src/dashboard/present.ts",
];

export default defineConfig(
  { ignores: ["dist", "coverage"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "max-lines": ["error", { max: 250, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 40, skipBlankLines: true, skipComments: true }],
      "max-params": ["error", 3],
      // A switch over a closed union is one decision, however many members it has.
      complexity: ["error", { max: 10, variant: "modified" }],
      "max-depth": ["error", 3],
      "no-console": "error",
      "no-empty": ["error", { allowEmptyCatch: false }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "no-restricted-syntax": [
        "error",
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: "The environment is read once, in src/config/env.ts.",
        },
      ],
    },
  },
  {
    files: ["src/config/env.ts", "test/**/*.ts", "bench/**/*.ts"],
    rules: { "no-restricted-syntax": "off" },
  },
  {
    files: ["src/cli/**/*.ts", "bench/**/*.ts"],
    rules: { "no-console": "off" },
  },
  {
    // Purity where purity is promised: a decision is a function of its arguments.
    files: PURE_FILES,
    rules: {
      "no-restricted-globals": [
        "error",
        ...["Date", "process", "console", "fetch", "setTimeout", "setInterval", "setImmediate"],
      ],
      "no-restricted-properties": ["error", { object: "Math", property: "random" }],
      "no-restricted-syntax": ["error", "AwaitExpression", ":function[async=true]"],
    },
  },
  {
    // A suite is one long function by nature, and builders take what they need.
    files: ["test/**/*.ts", "bench/**/*.ts"],
    rules: {
      "max-lines-per-function": "off",
      "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
      "@typescript-eslint/no-non-null-assertion": "off",
      "no-restricted-properties": [
        "error",
        { object: "vi", property: "mock", message: "Models, not mocks of our own modules." },
      ],
      "no-restricted-imports": [
        "error",
        {
          name: "fast-check",
          message: "test/support/fast-check.ts has a seed that is not the clock's.",
        },
      ],
    },
  },
  {
    files: ["test/support/fast-check.ts"],
    rules: { "no-restricted-imports": "off" },
  },
  {
    files: ["**/*.{js,mjs}"],
    languageOptions: {
      globals: { process: "readonly", console: "readonly", setTimeout: "readonly" },
    },
  },
);
