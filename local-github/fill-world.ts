import type { Role } from "./model/account.ts";
import type { Permissions } from "./model/app.ts";
import type { Issue } from "./model/issue.ts";
import type { Project } from "./model/project.ts";
import type { Repository } from "./model/repository.ts";
import type { LocalGitHub } from "./start-local-github.ts";

/** Describes an organization with people, repositories, a board and issues, on which the App is installed. */
export interface WantedWorld {
  readonly organization: string;
  /** These are logins with the role that each has in every repository. */
  readonly people: Readonly<Record<string, Role>>;
  readonly repositories: readonly WantedRepository[];
  readonly board: { readonly title: string; readonly columns: readonly string[] };
  readonly issues: readonly WantedIssue[];
  readonly installation: {
    readonly permissions: Permissions;
    readonly events: readonly string[];
  };
}

export interface WantedRepository {
  readonly name: string;
  /** This is the path of a git repository to copy, or the files of a first commit. */
  readonly from: string | Readonly<Record<string, string>>;
  readonly isPrivate?: boolean;
}

export interface WantedIssue {
  readonly repository: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly author: string;
  /** The issue's card is in this column. */
  readonly column: string;
}

export interface FilledWorld {
  readonly repositories: readonly Repository[];
  readonly project: Project;
  /** They are in the order in which they were wanted. */
  readonly issues: readonly Issue[];
}

/** Fills the world; throws where something is named that does not exist. */
export async function fillWorld(github: LocalGitHub, wanted: WantedWorld): Promise<FilledWorld> {
  const { organization, people } = wanted;
  github.addOrganization(organization);
  for (const login of Object.keys(people)) github.addUser(login);
  const repositories: Repository[] = [];
  for (const repository of wanted.repositories) {
    repositories.push(
      await github.addRepository({ ...repository, owner: organization, roles: people }),
    );
  }
  const project = github.addProject({ org: organization, ...wanted.board });
  const issues = wanted.issues.map(({ repository, author, column, ...texts }) => {
    const repo = repositories.find(({ name }) => name === repository);
    if (repo === undefined) throw new Error(`there is no repository ${repository} here`);
    const issue = github.as(author).openIssue({ repo, ...texts });
    github.addCard(project, issue, column);
    return issue;
  });
  // The App is installed last: it gets no news of what was there before.
  github.installApp({ account: organization, ...wanted.installation });
  return { repositories, project, issues };
}
