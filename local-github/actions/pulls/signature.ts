import type { Signature } from "../../git/history.ts";
import type { User } from "../../model/account.ts";

export const GITHUB_COMMITTER = { name: "GitHub", email: "noreply@github.com" } as const;

export function signatureOf(user: User, date: string): Signature {
  const email = `${user.id}+${user.login}@users.noreply.github.com`;
  return { name: user.login, email, date };
}
