import { describe, expect, it } from "vitest";
import { instant } from "../../../src/domain/ids.ts";
import { NO_REPORT, readLine } from "../../../src/runner/presets/agent-report.ts";
import type { AgentReport } from "../../../src/runner/presets/agent-report.ts";
import { PRESETS } from "../../../src/runner/presets/presets.ts";
import fc from "../../support/fast-check.ts";

const NOW = instant(1_750_000_000_000);
const HOUR_MS = 3_600_000;
type Program = "codex" | "claude" | "opencode" | "gemini";

function readReport(
  parser: Parameters<typeof readLine>[0],
  lines: readonly string[],
  at: typeof NOW,
): AgentReport {
  return lines.reduce((report, line) => readLine(parser, { report, at }, line), NO_REPORT);
}

function report(program: Program, ...events: readonly unknown[]): AgentReport {
  const lines = events.map((event) => (typeof event === "string" ? event : JSON.stringify(event)));
  return readReport(PRESETS[program].parser, lines, NOW);
}

/** A good run of each program, as it prints it. */
const GOOD: Readonly<Record<Program, readonly unknown[]>> = {
  codex: [
    { type: "thread.started", thread_id: "t-1" },
    { type: "item.completed", item: { type: "error", message: "Model metadata not found" } },
    { type: "turn.started" },
    { type: "item.completed", item: { type: "command_execution", status: "completed" } },
    { type: "item.completed", item: { type: "agent_message", text: "Done." } },
    {
      type: "turn.completed",
      usage: { input_tokens: 200, cached_input_tokens: 80, output_tokens: 14 },
    },
  ],
  claude: [
    { type: "system", subtype: "init", session_id: "s-1" },
    { type: "assistant", session_id: "s-1", message: {} },
    {
      type: "result",
      subtype: "success",
      is_error: false,
      session_id: "s-1",
      result: "Done.",
      total_cost_usd: 0.25,
      usage: {
        input_tokens: 20,
        cache_read_input_tokens: 80,
        cache_creation_input_tokens: 100,
        output_tokens: 14,
      },
    },
  ],
  opencode: [
    { type: "step_start", sessionID: "ses_1" },
    { type: "step_finish", part: { reason: "tool-calls", ...spent(100, 40, 7) } },
    { type: "step_start", sessionID: "ses_1" },
    { type: "text", sessionID: "ses_1", part: { text: "Done." } },
    { type: "step_finish", part: { reason: "stop", ...spent(20, 40, 7) } },
  ],
  gemini: [
    { type: "init", session_id: "g-1", model: "m" },
    { type: "message", role: "user", content: "Do it." },
    { type: "message", role: "assistant", content: "Do", delta: true },
    { type: "message", role: "assistant", content: "ne.", delta: true },
    {
      type: "result",
      status: "success",
      stats: { input_tokens: 200, output_tokens: 14, cached: 80 },
    },
  ],
};

function spent(input: number, read: number, output: number): object {
  return { tokens: { input, output, cache: { read, write: 0 } }, cost: 0.125 };
}

describe("readLine", () => {
  it.each([
    ["codex", "t-1", undefined],
    ["claude", "s-1", 0.25],
    ["opencode", "ses_1", 0.25],
    ["gemini", "g-1", undefined],
  ] as const)("reads a good end of %s", (program, session, costUsd) => {
    expect(report(program, ...GOOD[program])).toEqual({
      ...NO_REPORT,
      terminal: "good",
      session,
      lastMessage: "Done.",
      usage: { inputTokens: 200, outputTokens: 14, cachedTokens: 80, costUsd },
    });
  });

  it.each(["codex", "claude", "gemini"] as const)(
    "tells no end of a %s that was cut off",
    (program) => {
      expect(report(program, ...GOOD[program].slice(0, -1)).terminal).toBe("none");
    },
  );

  it("knows what claude said last though it was cut off, and takes no error for its words", () => {
    const said = (model: string, ...content: readonly unknown[]) => ({
      type: "assistant",
      message: { model, content },
    });
    const events = [
      said("m", { type: "text", text: "Half done." }),
      said("m", { type: "tool_use", name: "Bash", input: {} }),
      said("<synthetic>", { type: "text", text: "API Error" }),
    ];
    expect(report("claude", ...events)).toMatchObject({ lastMessage: "Half done." });
  });

  it("takes a step of opencode that only called tools for no end", () => {
    expect(report("opencode", ...GOOD.opencode.slice(0, 2)).terminal).toBe("none");
  });

  it.each([
    ["codex", [{ type: "turn.failed", error: { message: "it broke" } }]],
    ["claude", [{ type: "result", subtype: "success", is_error: true, result: "it broke" }]],
    ["opencode", [{ type: "error", error: { data: { message: "it broke", statusCode: 500 } } }]],
    ["gemini", [{ type: "result", status: "error", error: { message: "it broke" } }]],
  ] as const)("reads a bad end of %s, whatever came before", (program, events) => {
    const read = report(program, ...GOOD[program].slice(0, -1), ...events);
    expect(read).toMatchObject({ terminal: "bad", error: "it broke", limit: undefined });
  });

  it("keeps opencode's error though a later step stops", () => {
    const error = { type: "error", error: { name: "APIError", data: { message: "it broke" } } };
    expect(report("opencode", error, ...GOOD.opencode).terminal).toBe("bad");
  });

  it("does not take what the agent says for a limit", () => {
    const words = "HTTP 429: usage limit reached, try again in 3 hours";
    const said = { type: "item.completed", item: { type: "agent_message", text: words } };
    expect(report("codex", said, { type: "turn.failed", error: { message: "no" } }).limit).toBe(
      undefined,
    );
  });

  it.each([
    [
      "codex",
      [
        {
          type: "turn.failed",
          error: { message: "You’ve hit your usage limit. Try again in 2h." },
        },
      ],
      2 * HOUR_MS,
    ],
    [
      "codex",
      [{ type: "turn.failed", error: { message: "last status: 429 Too Many Requests" } }],
      undefined,
    ],
    [
      "claude",
      [
        {
          type: "rate_limit_event",
          rate_limit_info: { status: "rejected", resetsAt: (NOW + HOUR_MS) / 1000 },
        },
        { type: "result", is_error: true, result: "You've hit your limit · resets 3pm" },
      ],
      HOUR_MS,
    ],
    [
      "claude",
      [
        {
          type: "result",
          is_error: true,
          result: `Claude AI usage limit reached|${(NOW + HOUR_MS) / 1000}`,
        },
      ],
      HOUR_MS,
    ],
    [
      "claude",
      [{ type: "result", is_error: true, api_error_status: 429, result: "no" }],
      undefined,
    ],
    [
      "opencode",
      [
        {
          type: "error",
          error: {
            data: { message: "no", statusCode: 429, responseHeaders: { "retry-after": "60" } },
          },
        },
      ],
      60_000,
    ],
    [
      "gemini",
      [
        {
          type: "result",
          status: "error",
          error: { message: "RESOURCE_EXHAUSTED: Please retry in 35.5s." },
        },
      ],
      35_500,
    ],
  ] as const)("reads the limit of %s in %j", (program, events, wait) => {
    const until = wait === undefined ? undefined : NOW + wait;
    expect(report(program, ...GOOD[program].slice(0, 1), ...events).limit).toEqual({ until });
  });

  it("forgets a limit that was got over", () => {
    const limit = { type: "error", message: "Reconnecting... 1/5 (429 Too Many Requests)" };
    const [first, ...rest] = GOOD.codex;
    expect(report("codex", first, limit).limit).toBeDefined();
    expect(report("codex", first, limit, ...rest).limit).toBeUndefined();
  });

  it.each(["-C/etc", "../x", "a b", "", "x".repeat(200), 7, null])(
    "takes %j for no name of a session: it would become an argument",
    (id) => {
      expect(report("codex", { type: "thread.started", thread_id: id }).session).toBeUndefined();
    },
  );

  it("never throws and never makes up an end, whatever is printed", () => {
    const programs = fc.constantFrom(...(["codex", "claude", "opencode", "gemini"] as const));
    const type = fc.constantFrom("result", "turn.completed", "turn.failed", "error", "step_finish");
    const wild = fc.oneof(
      fc.string(),
      fc.json(),
      fc.object().map((value) => JSON.stringify(value)),
      fc.tuple(type, fc.object()).map(([name, value]) => JSON.stringify({ type: name, ...value })),
    );
    fc.assert(
      fc.property(programs, fc.array(wild, { maxLength: 20 }), (program, noise) => {
        const read = report(program, ...noise);
        expect(Object.keys(read).sort()).toEqual(Object.keys(NO_REPORT).sort());
        for (const line of noise)
          expect(PRESETS[program].parser.isProgress(line)).toBeTypeOf("boolean");
        const tokens = read.usage?.inputTokens ?? 0;
        expect(tokens >= 0 && Number.isFinite(tokens)).toBe(true);
      }),
    );
  });

  it("reads a whole run between any noise, and no end from any piece that stops short of it", () => {
    const programs = fc.constantFrom(...(["codex", "claude", "gemini"] as const));
    const noise = fc.array(
      fc.string().filter((text) => !text.includes("\n")),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(programs, noise, fc.double({ min: 0, max: 0.999, noNaN: true }), (...drawn) => {
        const [program, words, part] = drawn;
        const text = GOOD[program]
          .map((event) => [...words, JSON.stringify(event)].join("\n"))
          .join("\n");
        expect(readReport(PRESETS[program].parser, text.split("\n"), NOW).terminal).toBe("good");
        const cut = text.slice(0, Math.floor(text.length * part)).split("\n");
        expect(readReport(PRESETS[program].parser, cut, NOW).terminal).toBe("none");
      }),
    );
  });
});

describe("isProgress", () => {
  it.each([
    ["codex", { type: "error", message: "Reconnecting... 2/5" }, false],
    ["codex", { type: "item.started", item: {} }, true],
    ["claude", { type: "system", subtype: "api_retry" }, false],
    ["claude", { type: "assistant" }, true],
    ["opencode", { type: "error" }, false],
    ["opencode", { type: "tool_use" }, true],
    ["gemini", { type: "tool_result" }, true],
  ] as const)("of %s in %j is %j", (program, event, progress) => {
    const { isProgress } = PRESETS[program].parser;
    expect(isProgress(JSON.stringify(event))).toBe(progress);
    expect(isProgress("2026-01-01 WARN waiting for network")).toBe(false);
  });

  it("of a program that we cannot read is any line", () => {
    expect(PRESETS.aider.parser.isProgress("anything")).toBe(true);
  });
});

/** What the four programs print when their provider answers 401, or when they have no key. */
const LOGGED_OUT: readonly (readonly [Program, unknown])[] = [
  [
    "codex",
    {
      type: "turn.failed",
      error: { message: "unexpected status 401 Unauthorized: Incorrect API key provided: sk-x." },
    },
  ],
  ["codex", { type: "turn.failed", error: { message: "Missing environment variable: `KEY`." } }],
  [
    "claude",
    {
      type: "result",
      is_error: true,
      api_error_status: 401,
      result: "Failed to authenticate. API Error: 401",
    },
  ],
  [
    "claude",
    {
      type: "result",
      is_error: true,
      api_error_status: null,
      result: "Not logged in · Please run /login",
    },
  ],
  [
    "opencode",
    { type: "error", error: { name: "APIError", data: { message: "no", statusCode: 401 } } },
  ],
  ["opencode", { type: "error", error: { name: "ProviderAuthError", data: { message: "no" } } }],
  [
    "gemini",
    {
      type: "result",
      status: "error",
      error: { message: '[API Error: {"error":{"reason":"API_KEY_INVALID"}}]' },
    },
  ],
];

describe("a program that is not logged in", () => {
  it.each(LOGGED_OUT)("is known by its own words: %s %j", (program, event) => {
    expect(report(program, event)).toMatchObject({ terminal: "bad", loggedOut: true });
  });

  it("is not one whose provider failed otherwise, or whose agent talks of logins", () => {
    const failed = { type: "turn.failed", error: { message: "unexpected status 500" } };
    expect(report("codex", failed).loggedOut).toBe(false);
    const talk = { type: "agent_message", text: "It answers: 401 Unauthorized. Not logged in." };
    expect(report("codex", { type: "item.completed", item: talk }).loggedOut).toBe(false);
    const limited = { type: "error", error: { data: { message: "slow", statusCode: 429 } } };
    expect(report("opencode", limited).loggedOut).toBe(false);
  });
});
