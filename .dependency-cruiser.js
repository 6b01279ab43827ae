/** Architecture as failing checks. Each rule says what it protects; ARCHITECTURE.md draws the picture. */
const library = (name, home, comment) => ({
  name: `${name}-has-one-home`,
  severity: "error",
  comment,
  from: { pathNot: home },
  to: { path: [`node_modules/${name}/`] },
});

export default {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      comment: "A cycle means two files are one idea. Merge or invert.",
      from: {},
      to: { circular: true },
    },
    {
      name: "domain-knows-nothing",
      severity: "error",
      comment: "Nouns and their laws compile without the rest of the program.",
      from: { path: "^src/domain/" },
      to: { pathNot: "^src/(domain|shared)/" },
    },
    {
      name: "planner-is-pure",
      severity: "error",
      comment: "The planner is arithmetic on tasks. Pass it values.",
      from: { path: "^src/planner/" },
      to: { pathNot: "^src/(planner|domain|shared)/" },
    },
    {
      name: "board-and-report-are-pure",
      severity: "error",
      comment: "Reading a card and wording a report are functions of values.",
      from: { path: "^src/(board|report/render-)" },
      to: { pathNot: "^src/(board|report|domain|shared|config/schema)" },
    },
    {
      name: "decisions-are-pure",
      severity: "error",
      comment: "A decision sees a snapshot, never the world.",
      from: { path: "^src/.*/decide[^/]*[.]ts$" },
      to: {
        path: "^(src/(adapters|ports)/|node:|node_modules/)",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "stages-see-ports-only",
      severity: "error",
      comment: "Stages act through Deps. Only app.ts names an adapter.",
      from: { path: "^src/", pathNot: "^src/(app[.]ts|adapters/|cli/)" },
      to: { path: "^src/adapters/" },
    },
    {
      name: "ports-are-types",
      severity: "error",
      comment: "Read ports/ and you know everything the program can do to the world.",
      from: { path: "^src/ports/" },
      to: { pathNot: "^src/(domain|shared|ports|config/schema)" },
    },
    {
      name: "the-app-does-not-know-the-local-github",
      severity: "error",
      comment: "Only base URLs differ between github.com and the local GitHub.",
      from: { pathNot: "^src/(local-github|cli)/" },
      to: { path: "^src/local-github/" },
    },
    {
      name: "the-local-github-does-not-know-the-app",
      severity: "error",
      comment: "A model that shares code with what it tests proves nothing.",
      from: { path: "^src/local-github/" },
      to: { path: "^src/", pathNot: "^src/(local-github|shared)/" },
    },
    {
      name: "nobody-imports-the-command-line",
      severity: "error",
      comment: "The command line is an edge.",
      from: { pathNot: "^src/cli/" },
      to: { path: "^src/cli/" },
    },
    {
      name: "nobody-imports-tests",
      severity: "error",
      comment: "Production code does not know that it is tested.",
      from: { path: "^src/" },
      to: { path: "^test/" },
    },
    {
      name: "child-processes-have-one-home",
      severity: "error",
      comment:
        "Ending process trees is subtle; it is solved in one place (git over HTTP streams its own, and simple-git holds no conversation).",
      from: {
        pathNot:
          "^src/(adapters/process[^/]*|adapters/egress/gate|adapters/git/conversation|local-github/git/[^/]+)[.]m?[jt]s$",
      },
      to: { path: ["node_modules/execa/", "^(node:)?child_process$"] },
    },
    library(
      "simple-git",
      "^src/(adapters|local-github)/git/",
      "One place scrubs git's environment.",
    ),
    library("kysely", "^src/adapters/store/", "SQL lives in the store."),
    library("libsql", "^src/adapters/store/", "The engine is the store's own business."),
    library("pg", "^src/adapters/store/", "The engine is the store's own business."),
    library(
      "probot",
      "^src/((run-)?app[.]ts|adapters/github/|webhooks/)",
      "GitHub is spoken in one place.",
    ),
    library("@octokit", "^src/(adapters/github/|local-github/)", "GitHub is spoken in one place."),
    library("graphql", "^src/local-github/", "Only the local GitHub executes GraphQL."),
    library("yaml", "^src/(config|cli)/", "Text is parsed at the edge."),
    library("markdown-it", "^src/shared/markdown/", "Markdown is read in one way."),
    library("commander", "^src/cli/", "The command line is an edge."),
    library("log-update", "^src/cli/", "The terminal is an edge."),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node"] },
  },
};
