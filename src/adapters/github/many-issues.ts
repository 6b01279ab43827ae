import type { TaskId } from "../../domain/ids.ts";
import type { Octokit } from "./connection.ts";
import { graphqlErrorsOf } from "./graphql-errors.ts";

const ISSUE = /^([^/#]+)\/([^/#]+)#(\d{1,9})$/;

export function isIssue(id: TaskId): boolean {
  return ISSUE.test(id);
}

export interface ManyIssues {
  readonly name: string;
  readonly ids: readonly TaskId[];
  /** What is wanted of each issue. */
  readonly selection: string;
  /** Fragments that the selection names. */
  readonly fragments?: string;
}

/** By alias: `issue0`, `issue1`, … in the order of the ids. */
export type IssueAnswer<T> = Readonly<Record<string, { readonly issue: T | null } | null>>;

/** Many issues of any repositories in one document; those that do not exist are absent from the answer. */
export function readIssues<T>(client: Octokit, wanted: ManyIssues): Promise<IssueAnswer<T>> {
  return readIssuesBy(wanted, (query, variables) => client.graphql(query, variables));
}

export async function readIssuesBy<T>(
  wanted: ManyIssues,
  ask: (query: string, variables: Record<string, string | number>) => Promise<IssueAnswer<T>>,
): Promise<IssueAnswer<T>> {
  const { query, variables } = documentFor(wanted);
  try {
    return await ask(query, variables);
  } catch (error) {
    // One issue that is not there is an error beside the data of the others; so is a project that is nobody's business here.
    const errors = graphqlErrorsOf(error);
    const missing = errors?.every(({ type, path }) => type === "NOT_FOUND" || isHidden(type, path));
    if (missing !== true) throw error;
    return (error as { readonly data?: IssueAnswer<T> | null }).data ?? {};
  }
}

function isHidden(type: string | undefined, path: readonly (string | number)[]): boolean {
  return type === "FORBIDDEN" && path.at(-1) === "project";
}

function documentFor({ name, ids, selection, fragments = "" }: ManyIssues): {
  readonly query: string;
  readonly variables: Record<string, string | number>;
} {
  const variables: Record<string, string | number> = {};
  const declarations: string[] = [];
  const fields = ids.map((id, at) => {
    const [, owner = "", repo = "", number = "0"] = ISSUE.exec(id) ?? [];
    Object.assign(variables, { [`o${at}`]: owner, [`n${at}`]: repo, [`i${at}`]: Number(number) });
    declarations.push(`$o${at}: String!`, `$n${at}: String!`, `$i${at}: Int!`);
    return `issue${at}: repository(owner: $o${at}, name: $n${at}) { issue(number: $i${at}) { ${selection} } }`;
  });
  const head = `query ${name}(${declarations.join(", ")})`;
  return { query: `${head} {\n  ${fields.join("\n  ")}\n}\n${fragments}`, variables };
}
