// Prints how full the boxes are, in percent: more is better. It ends with an error if anything was packed wrongly.
import { spawnSync } from "node:child_process";

const SIZE = 100;
const ROUNDS = 40;
const ITEMS = 120;

/** The same items every time. */
function* numbers(seed) {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

const random = numbers(7);
const rounds = Array.from({ length: ROUNDS }, () =>
  Array.from({ length: ITEMS }, () => 10 + Math.floor(random.next().value * 50)),
);

// What is judged runs in a process of its own: nothing that it prints can pass for the score.
const program = `
  import { pack } from "./pack.mjs";
  import { readFileSync } from "node:fs";
  const rounds = JSON.parse(readFileSync(0, "utf8"));
  process.stdout.write(JSON.stringify(rounds.map((items) => pack(items, ${SIZE}))));
`;
const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
  input: JSON.stringify(rounds),
  encoding: "utf8",
  timeout: 60_000,
});
if (status !== 0) throw new Error("pack.mjs failed");
const packed = JSON.parse(stdout);

let [content, boxes] = [0, 0];
for (const [at, items] of rounds.entries()) {
  const found = packed[at].flat().toSorted((a, b) => a - b);
  if (JSON.stringify(found) !== JSON.stringify(items.toSorted((a, b) => a - b)))
    throw new Error(`round ${at}: not the same items`);
  for (const box of packed[at]) {
    const sum = box.reduce((a, b) => a + b, 0);
    if (sum > SIZE) throw new Error(`round ${at}: a box is too full`);
    content += sum;
    boxes += 1;
  }
}
console.log(((100 * content) / (boxes * SIZE)).toFixed(2));
