import { startPostgres } from "../../../support/postgres.ts";

// Tells its server's process and folder, and waits to be killed.
const server = await startPostgres();
process.stdout.write(`${await server.pid} ${server.folder}\n`);
setInterval(() => undefined, 60_000);
