import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

// Below the range from which Linux takes the ports of outgoing connections: those would take a port that is free for a second.
const [FIRST, END] = [15_000, 32_000];

/** A port that stays free until the process that is started next listens on it. */
export async function findLastingPort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
