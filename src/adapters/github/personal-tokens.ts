import { readFile } from "node:fs/promises";
import type { PersonalProjects } from "../../config/personal-projects-schema.ts";
import type { RepoName } from "../../domain/ids.ts";
import { ownerOf } from "../../domain/ids.ts";
import { AppError } from "../../shared/app-error.ts";

/** The token that opens a person's projects to a repository; throws `board-unreadable` where the operator gave none. */
export type PersonalTokens = (login: string, repo: RepoName) => Promise<string>;

export function createPersonalTokens(
  people: PersonalProjects,
  environment: Readonly<Record<string, string | undefined>>,
): PersonalTokens {
  const byLogin = new Map(
    Object.entries(people).map(([login, access]) => [login.toLowerCase(), access]),
  );
  return async (login, repo) => {
    const access = byLogin.get(login.toLowerCase());
    if (access === undefined) {
      throw unreadable(
        login,
        `no app can see a person's projects; the operator has to name ${login} in personalProjects`,
      );
    }
    if (!mayUse(access, login, repo)) {
      throw unreadable(
        login,
        `the operator has to list ${repo} in personalProjects.${login}.repositories`,
      );
    }
    const token = await tokenOf(access, environment);
    if (token === "") throw unreadable(login, `${placeOf(access)} holds no token`);
    return token;
  };
}

type Access = PersonalProjects[string];

/** Otherwise any repository could move the cards of a person who does not know of it. */
function mayUse({ repositories }: Access, login: string, repo: RepoName): boolean {
  const wanted = repo.toLowerCase();
  return (
    ownerOf(repo).toLowerCase() === login.toLowerCase() ||
    repositories.some((one) => one.toLowerCase() === wanted)
  );
}

async function tokenOf(
  { tokenVariable, tokenFile }: Access,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  if (tokenVariable !== undefined) return environment[tokenVariable]?.trim() ?? "";
  // A file that cannot be read holds no token: the message names it.
  const text = await readFile(tokenFile ?? "", "utf8").catch(() => "");
  return text.trim();
}

function placeOf({ tokenVariable, tokenFile }: Access): string {
  return tokenVariable === undefined
    ? `the file ${tokenFile ?? ""}`
    : `the variable ${tokenVariable}`;
}

function unreadable(login: string, reason: string): AppError {
  return new AppError("board-unreadable", `the projects of ${login} cannot be read: ${reason}`);
}
