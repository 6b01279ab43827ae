import type { Server as HttpServer } from "node:http";

/** A client that is slow to take its answer holds up a stop no longer than this. */
const PATIENCE_MS = 2_000;

/** Closes the port; requests under way are answered, connections that are only kept open are cut. */
export async function closeListener(server: HttpServer): Promise<void> {
  if (!server.listening) return;
  const cut = setTimeout(() => server.closeAllConnections(), PATIENCE_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}
