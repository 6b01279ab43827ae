import { describe, expect, it } from "vitest";
import { TELLERS } from "../../../src/cli/logs/tell-event.ts";
import { Transcript } from "../../../src/cli/logs/transcript.ts";
import { PRESETS } from "../../../src/runner/presets/presets.ts";

function transcriptOf(preset: string | undefined, output: string, pieces = 1): readonly string[] {
  const transcript = new Transcript(preset);
  const bytes = Buffer.from(output);
  const length = Math.ceil(bytes.length / pieces);
  const starts = Array.from({ length: pieces }, (_, at) => at * length);
  const lines = starts.flatMap((at) => transcript.add(bytes.subarray(at, at + length)));
  return [...lines, ...transcript.end()];
}

const lines = (...events: readonly unknown[]): string =>
  events.map((event) => (typeof event === "string" ? event : JSON.stringify(event))).join("\n");

/** As codex 0.166, claude 2.1, gemini 0.61 and opencode 1.18 print it, without what nobody reads. */
const PRINTED = {
  codex: lines(
    { type: "thread.started", thread_id: "01a1" },
    { type: "turn.started" },
    {
      type: "item.started",
      item: { type: "command_execution", command: "/bin/bash -lc 'ls /x'", exit_code: null },
    },
    {
      type: "item.completed",
      item: {
        type: "command_execution",
        command: "/bin/bash -lc 'ls /x'",
        aggregated_output: "ls: cannot access '/x'\n",
        exit_code: 2,
      },
    },
    { type: "item.completed", item: { type: "file_change", changes: [{ path: "src/a.ts" }] } },
    { type: "item.completed", item: { type: "agent_message", text: "I wrote it,\nin two lines." } },
    { type: "turn.completed", usage: { input_tokens: 400 } },
  ),
  claude: lines(
    { type: "system", subtype: "init", model: "sonnet", tools: ["Bash"] },
    { type: "system", subtype: "api_retry" },
    {
      type: "assistant",
      message: { content: [{ type: "tool_use", name: "Bash", input: { command: "ls /x" } }] },
    },
    {
      type: "user",
      message: {
        content: [
          { type: "tool_result", content: "Exit code 2\nls: cannot access", is_error: true },
        ],
      },
    },
    {
      type: "assistant",
      message: {
        content: [
          { type: "tool_use", name: "Write", input: { file_path: "src/a.ts", content: "x" } },
        ],
      },
    },
    {
      type: "user",
      message: { content: [{ type: "tool_result", content: "File created", is_error: false }] },
    },
    {
      type: "assistant",
      message: { content: [{ type: "text", text: "I wrote it,\nin two lines." }] },
    },
    { type: "result", subtype: "success", is_error: false, total_cost_usd: 0.00198 },
  ),
  gemini: lines(
    "YOLO mode is enabled.",
    { type: "init", session_id: "54", model: "gemini-2.5-pro" },
    { type: "message", role: "user", content: "Task one" },
    { type: "tool_use", tool_name: "run_shell_command", parameters: { command: "ls /x" } },
    { type: "tool_result", status: "success", output: "ls: cannot access" },
    { type: "tool_use", tool_name: "write_file", parameters: { file_path: "a.ts", content: "x" } },
    { type: "message", role: "assistant", content: "I wrote it,\n", delta: true },
    { type: "message", role: "assistant", content: "in two lines.", delta: true },
    { type: "result", status: "success", stats: {} },
  ),
  opencode: lines(
    { type: "step_start", part: {} },
    {
      type: "tool_use",
      part: {
        tool: "bash",
        state: {
          input: { command: "ls /x" },
          output: "ls: cannot access\n",
          metadata: { exit: 2 },
        },
      },
    },
    {
      type: "tool_use",
      part: { tool: "write", state: { input: { filePath: "a.ts" }, output: "Wrote file" } },
    },
    { type: "text", part: { text: "I wrote it,\nin two lines." } },
    { type: "step_finish", part: { reason: "stop" } },
  ),
};

describe("the transcript of a run", () => {
  it("tells what each program said and did, one line each", () => {
    const told = Object.entries(PRINTED).map(([preset, text]) => [
      preset,
      ...transcriptOf(preset, text),
    ]);
    expect(told.map((some) => some.join("\n")).join("\n\n")).toMatchInlineSnapshot(`
      "codex
      starts a session
      runs   /bin/bash -lc 'ls /x'
      fails  exit code 2: ls: cannot access '/x'
      uses   edit src/a.ts
      says   I wrote it, in two lines.
      ends   the turn is complete

      claude
      starts a session with sonnet
      fails  the provider did not answer; it asks again
      runs   ls /x
      fails  Exit code 2 ls: cannot access
      uses   Write src/a.ts
      says   I wrote it, in two lines.
      ends   the work is done, for $0.00

      gemini
      YOLO mode is enabled.
      starts a session with gemini-2.5-pro
      runs   ls /x
      uses   write_file a.ts
      says   I wrote it, in two lines.
      ends   the work is done

      opencode
      runs   ls /x
      fails  exit code 2: ls: cannot access
      uses   write a.ts
      says   I wrote it, in two lines."
    `);
  });

  it("knows the events of every preset that tells any", () => {
    const tells = Object.entries(PRESETS).flatMap(([name, { parser }]) =>
      parser.tellsEnd ? [name] : [],
    );
    expect(Object.keys(TELLERS).toSorted()).toEqual(tells.toSorted());
  });

  it.each(Object.entries(PRINTED))("is the same in whatever pieces %s comes", (preset, text) => {
    const whole = transcriptOf(preset, `${text}\nverify: ünïcode ✓\n`);
    for (const pieces of [2, 7, 50, 400])
      expect(transcriptOf(preset, `${text}\nverify: ünïcode ✓\n`, pieces)).toEqual(whole);
    expect(whole.at(-1)).toBe("verify: ünïcode ✓");
  });

  it("shows what is no event as it is, and events of a plain command, too", () => {
    const event = JSON.stringify({ type: "text", part: { text: "x" } });
    expect(transcriptOf(undefined, `one\n\ttwo\n${event}`)).toEqual(["one", "    two", event]);
    const unknown = JSON.stringify({ type: "of-a-test", ok: true });
    expect(transcriptOf("claude", `${unknown}\n{"type":"assist`)).toEqual([
      unknown,
      `{"type":"assist`,
    ]);
  });

  it("shows a line that was written over as it was in the end", () => {
    expect(transcriptOf(undefined, "10 %\r50 %\r100 %\r\nnext\n")).toEqual(["100 %", "next"]);
  });

  it("lets nothing steer the terminal", () => {
    const hostile = "\u001b[2Jred\u001b[31m\u0007\u009b1m\u202eback\u2066\u001b]0;owned\u0007";
    const said = { type: "item.completed", item: { type: "agent_message", text: hostile } };
    for (const line of transcriptOf("codex", lines(hostile, said, hostile)))
      expect(line).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
  });

  it("cuts lines that nobody would read to their end", () => {
    const [first = ""] = transcriptOf(undefined, "x".repeat(5_000_000));
    expect(first.length).toBeLessThan(2100);
  });
});
