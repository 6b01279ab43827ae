import { readControlFile } from "../../control/control-file.ts";
import { AppError } from "../../shared/app-error.ts";

/** This is a running server that is asked over its control interface. */
export interface ControlClient {
  readonly pid: number;
  /** It throws the server's reason when the server refuses. */
  ask(path: string, query?: Readonly<Record<string, string>>): Promise<Response>;
  /** It works as `ask` does, for requests that change something. */
  tell(path: string, query: Readonly<Record<string, string>>): Promise<Response>;
}

/** Returns undefined when no server owns the folder. */
export async function findServer(dataDir: string): Promise<ControlClient | undefined> {
  const address = await readControlFile(dataDir);
  if (address === undefined || !isAlive(address.pid)) return undefined;
  const { url, token, pid } = address;
  const send = async (method: Method, path: string, query: Readonly<Record<string, string>>) => {
    const target = `${url}/wavetrain/${path}?${new URLSearchParams(query).toString()}`;
    const response = await request(target, { method, token, pid });
    if (response.ok) return response;
    const why = await reasonIn(response);
    throw new AppError("server-refused", `the server (process ${pid}) refused: ${why}`);
  };
  return {
    pid,
    ask: (path, query = {}) => send("GET", path, query),
    tell: (path, query) => send("POST", path, query),
  };
}

export async function needServer(dataDir: string): Promise<ControlClient> {
  const server = await findServer(dataDir);
  if (server !== undefined) return server;
  const how = "wavetrain start begins one";
  throw new AppError("server-silent", `no server is running on ${dataDir}; ${how}`);
}

type Method = "GET" | "POST";

async function request(
  target: string,
  { method, token, pid }: { readonly method: Method; readonly token: string; readonly pid: number },
): Promise<Response> {
  try {
    return await fetch(target, { method, headers: { authorization: `Bearer ${token}` } });
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

/** Signal 0 only asks whether the process exists; for a process of another user the answer is a refusal. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
