import { createRequire } from "node:module";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import * as z from "zod";

/** This runs in a thread with its own connection: checking a large database takes seconds, and nobody should wait for it. */
const LOOK_THROUGH = `
const { parentPort, workerData } = require("node:worker_threads");
const Database = require(workerData.libsql);
const database = new Database(workerData.file);
try {
  database.exec("pragma query_only = on");
  const [found] = database.prepare("pragma integrity_check(1)").all();
  parentPort.postMessage({ found: String(Object.values(found ?? { nothing: "no answer" })[0]) });
} catch (error) {
  parentPort.postMessage({ found: error.message, code: error.code });
} finally {
  database.close();
}
`;

const answerSchema = z.object({ found: z.string(), code: z.string().optional() });

/**
 * Says what is wrong with the pages of an open embedded store. The answer is undefined when nothing is wrong, or when it cannot be
 * checked now.
 */
export async function checkDatabase(folder: string): Promise<string | undefined> {
  const { resolve } = createRequire(import.meta.url);
  const workerData = { file: join(folder, "wavetrain.db"), libsql: resolve("libsql") };
  const worker = new Worker(LOOK_THROUGH, { eval: true, workerData });
  const answer = await new Promise<unknown>((answered, failed) => {
    worker.once("message", answered);
    worker.once("error", failed);
    worker.once("exit", () => failed(new Error("the check of the store ended without an answer")));
  });
  const { found, code } = answerSchema.parse(answer);
  if (found === "ok") return undefined;
  const isDamage = code === undefined || /^SQLITE_(CORRUPT|NOTADB)/.test(code);
  return isDamage ? found : undefined;
}
