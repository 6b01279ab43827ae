import { gitBytes } from "../../git/git.ts";
import type { Answer, RepoCall } from "./route.ts";

const TYPES = /\bapplication\/vnd\.github\.(?:v3\.)?(diff|patch)\b/;
const PLAIN = ["--no-color", "--no-ext-diff", "--no-textconv"];

/** Answers with a diff or with mails, if the client asks for that by media type. `from` is null for a single commit. */
export async function diffAnswer(
  { accept, repository }: RepoCall,
  from: string | null,
  to: string,
): Promise<Answer | undefined> {
  const kind = TYPES.exec(accept)?.[1];
  if (kind === undefined) return undefined;
  const diff =
    from === null ? ["show", "--format=", ...PLAIN, to] : ["diff", ...PLAIN, `${from}...${to}`];
  const mails = ["format-patch", "--stdout", ...(from === null ? ["-1", to] : [`${from}..${to}`])];
  const raw = await gitBytes(repository.dir, kind === "diff" ? diff : mails);
  const type = `application/vnd.github.${kind}; charset=utf-8`;
  return { status: 200, raw, headers: { "content-type": type } };
}
