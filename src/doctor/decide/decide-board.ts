import type { RepoConfig } from "../../config/schema/repo-config.ts";
import { ownerOf } from "../../domain/ids.ts";
import type { ProjectFacts, ProjectField } from "../../ports/inspection.ts";
import { quote } from "../../shared/quote.ts";
import { missingFields, unusableFields } from "./decide-setup.ts";
import { reporterOf } from "./finding.ts";
import type { Finding } from "./finding.ts";
import { refusalFix, refusalWords } from "./refusal-words.ts";
import type { RepoDetails, RepoReading } from "./repo-reading.ts";

/** Decides whether the board is there, can be read and written, and has a column for each role. */
export function decideBoard(
  { config: { board }, project }: RepoDetails,
  { installed, seesProjects }: RepoReading,
): readonly Finding[] {
  const say = reporterOf({ check: "board", about: installed.repo });
  if (project === undefined) return [say.ok("the board is made of labels")];
  const owner = ownerOf(installed.repo);
  if (installed.owner === "user") {
    const fix = "leave board.project out, or set board.kind to labels";
    return [say.problem(`no app can see the projects of ${owner}, a person`, fix)];
  }
  if (!project.ok) {
    const message = `project ${board.project} cannot be read: ${refusalWords(project.error)}`;
    return [say.problem(message, refusalFix(project.error))];
  }
  if (project.value === undefined) {
    return [
      seesProjects
        ? say.problem(
            `${owner} has no project ${board.project} that the app can see`,
            "set board.project to the number in the project's address, or board.kind to labels",
          )
        : say.problem(
            `the app may not see the projects of ${owner}, so the board looks empty`,
            "grant the organization permission Projects (read and write) and accept it there",
          ),
    ];
  }
  return projectFindings(project.value, board, installed.repo);
}

type BoardConfig = RepoConfig["board"];

function projectFindings(
  project: ProjectFacts,
  board: BoardConfig,
  about: string,
): readonly Finding[] {
  const say = reporterOf({ check: "board", about });
  const name = `project ${board.project} (${quote(project.title)})`;
  if (project.closed) return [say.problem(`${name} is closed`, "reopen it, or name another")];
  const found: Finding[] = [];
  if (!project.writable) {
    const fix = "grant the organization permission Projects with write access, and accept it";
    found.push(say.problem(`${name} can be read, but cards cannot be moved`, fix));
  }
  const cards = project.cards === 0 ? "it is empty" : `${project.cards} cards`;
  return [
    ...(found.length === 0 ? [say.ok(`${name}: ${cards}`)] : found),
    ...columnFindings(project, board, about),
    ...fieldFindings(project, about),
  ];
}

function columnFindings(
  { fields }: ProjectFacts,
  board: BoardConfig,
  about: string,
): readonly Finding[] {
  const say = reporterOf({ check: "columns", about });
  const status = fields.find(({ name }) => name === board.statusField);
  if (status?.options === undefined) {
    return [
      say.problem(
        `the project has no single-select field ${quote(board.statusField)}`,
        `set board.statusField to one of ${selectNames(fields)}`,
      ),
    ];
  }
  const { options } = status;
  const missing = Object.entries(board.columns).filter(([, column]) => !options.includes(column));
  if (missing.length === 0) return [say.ok("every role has its column")];
  const known = options.map(quote).join(", ");
  return missing.map(([role, column]) => {
    const what = `no column ${quote(column)} for the role ${role}`;
    const fix = `add it to the project, or set board.columns.${role} to one of ${known}`;
    // Only the ready column is needed: where another is missing, cards stay where they are.
    return role === "ready" ? say.problem(what, fix) : say.warning(what, fix);
  });
}

function selectNames(fields: readonly ProjectField[]): string {
  const names = fields
    .filter(({ options }) => options !== undefined)
    .map(({ name }) => quote(name));
  return names.length === 0 ? "those that you add" : names.join(", ");
}

function fieldFindings(project: ProjectFacts, about: string): readonly Finding[] {
  const say = reporterOf({ check: "fields", about });
  const missing = missingFields(project).map(({ name }) => name);
  const wrong = unusableFields(project).map(({ name, type }) =>
    say.warning(
      `the field ${name} is of type ${type}: it is left alone`,
      "rename it, and let wavetrain doctor --setup make one",
    ),
  );
  if (missing.length > 0) {
    const fix = "wavetrain doctor --setup makes them; it works without, too";
    const words = missing.length === 1 ? "field" : "fields";
    return [...wrong, say.warning(`the project has no ${words} ${missing.join(", ")}`, fix)];
  }
  return wrong.length > 0
    ? wrong
    : [say.ok("Wave, Runner, Attempt, Cost and Reason are filled in")];
}
