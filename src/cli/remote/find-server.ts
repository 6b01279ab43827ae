import { readControlFile } from "../../http/control-file.ts";
import { AppError } from "../../shared/app-error.ts";

/** A running server, asked over its control interface. */
export interface ControlClient {
  readonly pid: number;
  /** Throws what the server says against it. */
  ask(path: string, query?: Readonly<Record<string, string>>): Promise<Response>;
}

/** Undefined when no server owns the folder. */
export async function findServer(dataDir: string): Promise<ControlClient | undefined> {
  const address = await readControlFile(dataDir);
  if (address === undefined || !isAlive(address.pid)) return undefined;
  const { url, token, pid } = address;
  return {
    pid,
    async ask(path, query = {}) {
      const target = `${url}/wavetrain/${path}?${new URLSearchParams(query).toString()}`;
      const response = await request(target, token, pid);
      if (response.ok) return response;
      const why = await reasonIn(response);
      throw new AppError("server-refused", `the server (process ${pid}) refused: ${why}`);
    },
  };
}

async function request(target: string, token: string, pid: number): Promise<Response> {
  try {
    return await fetch(target, { headers: { authorization: `Bearer ${token}` } });
  } catch (error) {
    throw new AppError(
      "server-silent",
      `the server (process ${pid}) does not answer; it may be stopping`,
      { cause: error },
    );
  }
}

async function reasonIn(response: Response): Promise<string> {
  const said: unknown = await response.json().catch(() => undefined);
  return typeof said === "object" && said !== null && "error" in said
    ? String(said.error)
    : `it answered ${response.status}`;
}

/** Signal 0 only asks; a process of another user answers with a refusal. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
