import { execa } from "execa";

/** Runs git in a folder and answers what it printed; nothing of the user's configuration applies. */
export async function runGitText(cwd: string, args: readonly string[]): Promise<string> {
  const env = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };
  const { stdout } = await execa("git", [...args], { cwd, env, stripFinalNewline: false });
  return stdout;
}
