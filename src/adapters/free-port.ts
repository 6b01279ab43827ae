import { createServer } from "node:net";

/** A port that was free a moment ago. Probot takes 0 for "the default port", so we choose one ourselves. */
export function findFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, host, () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === "object" && address !== null) resolve(address.port);
        else reject(new Error(`no free port on ${host}`));
      });
    });
  });
}
