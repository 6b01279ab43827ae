import { randomUUID } from "node:crypto";
import { execa } from "execa";

/** A shell in a real terminal, which a test types into and reads like a person. */
export class Terminal {
  readonly #socket = `wavetrain-${randomUUID()}`;

  static async open(
    cwd: string,
    env: Readonly<Record<string, string>>,
    { columns, rows } = { columns: 110, rows: 50 },
  ): Promise<Terminal> {
    const terminal = new Terminal();
    const size = ["-x", String(columns), "-y", String(rows)];
    const start = ["-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, "sh"];
    await execa("tmux", ["-L", terminal.#socket, ...start], { env: { ...env, PS1: "$ " } });
    return terminal;
  }

  /** Clears the screen, types a line, and waits until it has ended; answers the screen. */
  async run(line: string): Promise<string> {
    await this.type(line);
    return this.until(/\[exit \d+\]/);
  }

  /** Clears the screen and types a line; what it prints last is its exit code. */
  async type(line: string): Promise<void> {
    await this.#tmux("send-keys", "-R", "");
    await this.#tmux("clear-history");
    // The mark is not on the screen before it is printed: the typed line has it in two parts.
    await this.#tmux("send-keys", "-l", `${line}; printf '[%s %s]\\n' exit $?`);
    await this.#tmux("send-keys", "Enter");
  }

  async press(key: string): Promise<void> {
    await this.#tmux("send-keys", key);
  }

  /** Waits until the screen shows this; answers all that it shows, and what has scrolled away. */
  async until(shown: RegExp): Promise<string> {
    for (;;) {
      const screen = await this.#tmux("capture-pane", "-p", "-J", "-S", "-3000");
      if (shown.test(screen)) return screen;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async close(): Promise<void> {
    await this.#tmux("kill-server");
  }

  async #tmux(...args: readonly string[]): Promise<string> {
    return (await execa("tmux", ["-L", this.#socket, ...args])).stdout;
  }
}
