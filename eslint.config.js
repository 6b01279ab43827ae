import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

const PURE_FILES = [
  "src/{domain,planner}/**/*.ts",
  "src/**/decide.ts",
  "src/**/decide-*.ts",
  "src/**/{order,turn-order}.ts",
  "src/report/render/*.ts",
  "src/board/issue/*.ts",
];

/** A pass hands down what the store remembers (src/app/pass.ts); work that outlives a tick reads for itself. */
const ONE_READING = {
  files: ["src/{board,commands,feedback,objectives,planner,report,scheduler,train,trust}/**/*.ts"],
  ignores: ["src/train/verify/**"],
  rules: {
    "no-restricted-properties": [
      "error",
      {
        property: "readRepo",
        allowObjects: ["github"],
        message: "The store is read once for a tick and handed down as `stored`.",
      },
    ],
  },
};

const NO_LITERAL_SPREADS = {
  selector: "SpreadElement > :matches(ObjectExpression, ArrayExpression).argument",
  message: "Write its members where they belong: a literal is not spread to save lines.",
};

export default defineConfig(
  { ignores: ["dist", "coverage"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "max-lines": ["error", { max: 250, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 50, skipBlankLines: true, skipComments: true }],
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
        NO_LITERAL_SPREADS,
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: "The environment is read once, in src/config/operator/env.ts.",
        },
      ],
    },
  },
  {
    // A list of columns is read from top to bottom.
    files: ["src/adapters/store/schema/first-schema.ts"],
    rules: { "max-lines": "off" },
  },
  {
    files: ["src/config/operator/env.ts", "test/**/*.ts", "bench/**/*.ts"],
    rules: { "no-restricted-syntax": ["error", NO_LITERAL_SPREADS] },
  },
  {
    files: ["src/cli/**/*.ts", "bench/**/*.ts"],
    rules: { "no-console": "off" },
  },
  ONE_READING,
  {
    // Purity where purity is promised: a decision is a function of its arguments.
    files: PURE_FILES,
    rules: {
      "no-restricted-globals": [
        "error",
        ...["Date", "process", "console", "fetch", "setTimeout", "setInterval", "setImmediate"],
      ],
      "no-restricted-properties": ["error", { object: "Math", property: "random" }],
      "no-restricted-syntax": [
        "error",
        NO_LITERAL_SPREADS,
        "AwaitExpression",
        ":function[async=true]",
      ],
    },
  },
  {
    // A suite is one long function by nature, and builders take what they need.
    files: ["test/**/*.ts", "bench/**/*.ts"],
    rules: {
      "max-lines-per-function": "off",
      "max-lines": ["error", { max: 450, skipBlankLines: true, skipComments: true }],
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
