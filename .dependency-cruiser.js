/** Architecture as failing checks. Each rule says what it protects; ARCHITECTURE.md draws the picture. */
const library = (name, home, comment) => ({
  name: `${name}-has-one-home`,
  severity: "error",
  comment,
  from: { pathNot: home },
  to: { path: [`node_modules/${name}/`] },
});

const BASE = ["domain", "shared"];
const WORLD = [...BASE, "ports", "config"];

/** Which rooms of src each room may import from. What is not listed is forbidden; two rooms never import each other. */
const ROOMS = {
  shared: [],
  domain: ["shared"],
  config: BASE,
  ports: [...BASE, "config"],
  planner: BASE,
  loop: [...BASE, "ports"],
  adapters: WORLD,
  workspace: WORLD,
  trust: [...BASE, "ports"],
  report: WORLD,
  board: [...WORLD, "trust", "report"],
  scheduler: [...WORLD, "board", "planner"],
  commands: [...WORLD, "board", "report", "scheduler", "trust"],
  feedback: WORLD,
  runner: [...WORLD, "report", "workspace"],
  train: [...WORLD, "report", "workspace"],
  objectives: [...WORLD, "board", "planner", "report", "runner", "trust"],
  control: [...WORLD, "commands", "scheduler"],
  intake: [...WORLD, "commands", "control"],
  cleanup: [...BASE, "ports"],
  doctor: [...WORLD, "train"],
};

const onlySees = (room, sees) => ({
  name: `${room}-sees-only-its-list`,
  severity: "error",
  comment:
    "Rooms hand over through the store and Deps. A new import between rooms is a decision: add it to ROOMS.",
  from: { path: `^src/${room}/` },
  to: { path: "^src/", pathNot: `^src/(${[room, ...sees].join("|")})/` },
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
      name: "planner-uses-no-library-but-its-queue",
      severity: "error",
      comment: "The planner is arithmetic on tasks. Pass it values.",
      from: { path: "^src/(domain|planner)/" },
      to: { pathNot: "^(src|node_modules/tinyqueue)/" },
    },
    ...Object.entries(ROOMS).map(([room, sees]) => onlySees(room, sees)),
    {
      name: "board-and-report-are-pure",
      severity: "error",
      comment: "Reading a card and wording a report are functions of values.",
      from: { path: "^src/(board/issue|report/render)/" },
      to: { pathNot: "^src/(board/issue|report/render|domain|shared|config/schema)/" },
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
      comment: "Stages act through Deps. Only the wiring in app/ and index.ts names an adapter.",
      from: {
        path: "^src/",
        pathNot:
          "^src/(index[.]ts|app/(connect-github|open-data-folder|prepare-rooms)[.]ts|adapters/|cli/)",
      },
      to: { path: "^src/adapters/" },
    },
    {
      name: "the-app-does-not-know-the-local-github",
      severity: "error",
      comment: "Only base URLs differ between github.com and the local GitHub.",
      from: { path: "^src/", pathNot: "^src/cli/" },
      to: { path: "^local-github/" },
    },
    {
      name: "the-local-github-does-not-know-the-app",
      severity: "error",
      comment: "A model that shares code with what it tests proves nothing.",
      from: { path: "^local-github/" },
      to: { path: "^src/" },
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
          "^(src/adapters/process/|src/adapters/sandbox/egress/gate[.]ts|src/adapters/git/run/conversations[.]ts|local-github/git/)",
      },
      to: { path: ["node_modules/execa/", "^(node:)?child_process$"] },
    },
    library(
      "simple-git",
      "^(src/adapters/git/run|local-github/git)/",
      "One place scrubs git's environment.",
    ),
    library("kysely", "^src/adapters/store/", "SQL lives in the store."),
    library("libsql", "^src/adapters/store/", "The engine is the store's own business."),
    library("pg", "^src/adapters/store/", "The engine is the store's own business."),
    library(
      "probot",
      "^src/(index[.]ts|app/(run-app|connect-github)[.]ts|adapters/github/|intake/)",
      "GitHub is spoken in one place.",
    ),
    library("@octokit", "^(src/adapters/github|local-github)/", "GitHub is spoken in one place."),
    library("graphql", "^local-github/", "Only the local GitHub executes GraphQL."),
    library("yaml", "^src/(config|cli)/", "Text is parsed at the edge."),
    library("markdown-it", "^src/shared/markdown/", "Markdown is read in one way."),
    library(
      "tinyqueue",
      "^src/planner/",
      "Only the planner keeps tasks in order of what comes first.",
    ),
    library("commander", "^src/cli/", "The command line is an edge."),
    library("log-update", "^src/cli/", "The terminal is an edge."),
    library("string-width", "^src/cli/text/", "The width of text is counted in one way."),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node"] },
  },
};
