// The tests' runner: does what the script of its task says. Scripts and a journal live in the folder $AGENT_DIR.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const {
  AGENT_DIR: folder,
  WAVETRAIN_TASK_ID: id,
  WAVETRAIN_ATTEMPT: attempt,
  WAVETRAIN_CANDIDATE: candidate,
} = process.env;
const scripts = JSON.parse(readFileSync(join(folder, "scripts.json"), "utf8"));
const base = scripts[id] ?? {};
const script = { ...base, ...base.attempts?.[attempt], ...base.candidates?.[candidate] };
const prompt = readFileSync(0, "utf8");
const journal = (what) =>
  appendFileSync(
    join(folder, "journal.jsonl"),
    `${JSON.stringify({ id, attempt: Number(attempt), candidate: Number(candidate ?? 1), what, at: Date.now() })}\n`,
  );

writeFileSync(join(folder, `${id}.prompt`), prompt);
writeFileSync(join(folder, `${id}.${attempt}.prompt`), prompt);
writeFileSync(join(folder, `${id}.env`), JSON.stringify(process.env));
journal("started");
// Others go on from here: what they do next is later than what the journal says.
writeFileSync(join(folder, `${id}.started`), "");
for (const other of script.waitFor ?? []) await appears(join(folder, other));
if (script.limitedUntil !== undefined && Number(attempt) <= (script.limitedAttempts ?? Infinity)) {
  console.log(`wavetrain: limited until ${script.limitedUntil}`);
  process.exit(75);
}
for (const [path, text] of Object.entries(script.writes ?? {})) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
for (const path of script.deletes ?? []) rmSync(path);
console.log(script.says ?? `worked on ${id}`);
journal("ended");
process.exit(Number(attempt) <= (script.failures ?? 0) ? 3 : 0);

async function appears(path) {
  for (let waited = 0; !existsSync(path); waited += 10) {
    if (waited > 60_000) throw new Error(`${path} never appeared`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
