import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import type { WantedWorld } from "../../../local-github/fill-world.ts";
import { problemLine } from "../../config/read/config-problem.ts";
import { publishedSchema, readConfig } from "../../config/read/read-config.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { BOARD_COLUMNS } from "../trial/board-columns.ts";

const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, { error: "expected letters, digits and hyphens" });
const role = z.enum(["read", "triage", "write", "maintain", "admin"]);

const schema = z.strictObject({
  organization: name.default("acme").describe("Owns the repositories and the board."),
  people: z
    .record(name, role)
    .refine((people) => Object.keys(people).length > 0, { error: "name at least one person" })
    .default({ you: "admin", reviewer: "write" })
    .describe("Logins, each with its role in every repository."),
  repositories: z
    .array(
      z.strictObject({
        name: name.describe("The repository's name."),
        from: z
          .string()
          .min(1)
          .optional()
          .describe("Path of a git repository to copy, from this file on; it is never changed."),
        files: z
          .record(z.string().min(1), z.string())
          .optional()
          .describe("Or the files of a first commit, by path."),
        private: z.boolean().default(true).describe("Whether only its people see it."),
      }),
    )
    .min(1)
    .default([{ name: "shop", files: { "README.md": "# shop\n" }, private: true }])
    .describe("What the organization has."),
  board: z
    .strictObject({
      title: z.string().min(1).default("Board").describe("The project's title."),
      columns: z
        .array(z.string().min(1))
        .min(1)
        .default(BOARD_COLUMNS)
        .describe("Options of Status."),
    })
    .prefault({})
    .describe("The organization's project."),
  issues: z
    .array(
      z.strictObject({
        title: z.string().min(1).describe("Its title."),
        body: z.string().default("").describe("Its text, in Markdown."),
        labels: z.array(z.string().min(1)).default([]).describe("Its labels; new ones are made."),
        repository: name.optional().describe("The first repository if left out."),
        author: name.optional().describe("The first person if left out."),
        column: z.string().optional().describe("The first column if left out."),
      }),
    )
    .default([])
    .describe("Issues that are open at the start, each with a card on the board."),
});

type WorldFile = z.infer<typeof schema>;
export type WorldFromFile = Omit<WantedWorld, "installation">;

/** Reads what the local GitHub begins with; a sentence for each thing that is wrong. */
export async function readWorldFile(
  file: string,
): Promise<Result<WorldFromFile, readonly string[]>> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    // Missing, a folder, not to be read: all of them are put right by naming another.
    return fail([`${file}: cannot be read`]);
  }
  const described = (): ReturnType<typeof publishedSchema> =>
    publishedSchema(schema, "Wavetrain: what a local GitHub begins with");
  const read = readConfig({ schema, described }, { text, file });
  if (!read.ok) return fail(read.error.map(problemLine));
  const problems = unknownNames(read.value).map((problem) => `${file}: ${problem}`);
  return problems.length > 0 ? fail(problems) : ok(worldOf(read.value, dirname(resolve(file))));
}

/** Is what a local GitHub begins with where nobody says anything else. */
export function emptyWorld(): WorldFromFile {
  return worldOf(schema.parse({}), ".");
}

function unknownNames({ repositories, people, board, issues }: WorldFile): readonly string[] {
  const names = new Set(repositories.map((one) => one.name));
  const both = repositories.filter(({ from, files }) => from !== undefined && files !== undefined);
  const twice = repositories.filter(
    (one, at) => repositories.findIndex((first) => first.name === one.name) !== at,
  );
  const logins = Object.keys(people).map((login) => login.toLowerCase());
  const same = logins.filter((login, at) => logins.indexOf(login) !== at);
  return [
    ...same.map((login) => `there are two people ${login}: GitHub does not tell case apart`),
    ...twice.map((one) => `there are two repositories ${one.name}`),
    ...both.map((one) => `repository ${one.name} has both from and files: keep one`),
    ...issues.flatMap(({ title, repository, author, column }) => [
      ...unknown(repository, names, `issue "${title}" names no repository of the file`),
      ...unknown(author, new Set(Object.keys(people)), `issue "${title}" names nobody of the file`),
      ...unknown(column, new Set(board.columns), `issue "${title}" names no column of the board`),
    ]),
  ];
}

function unknown(
  name: string | undefined,
  known: ReadonlySet<string>,
  problem: string,
): readonly string[] {
  return name === undefined || known.has(name) ? [] : [`${problem}: ${name}`];
}

function worldOf({ repositories, issues, ...world }: WorldFile, folder: string): WorldFromFile {
  const [first = ""] = repositories.map((one) => one.name);
  const [author = ""] = Object.keys(world.people);
  const [column = ""] = world.board.columns;
  return {
    ...world,
    repositories: repositories.map(({ name: called, from, files, private: isPrivate }) => ({
      name: called,
      from:
        from === undefined ? (files ?? { "README.md": `# ${called}\n` }) : resolve(folder, from),
      isPrivate,
    })),
    issues: issues.map((issue) => ({
      title: issue.title,
      body: issue.body,
      labels: issue.labels,
      repository: issue.repository ?? first,
      author: issue.author ?? author,
      column: issue.column ?? column,
    })),
  };
}
