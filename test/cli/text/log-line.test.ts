import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { renderLogLine } from "../../../src/cli/text/log-line.ts";
import { AppError } from "../../../src/shared/app-error.ts";

/** What pino writes for one call, as a person sees it. */
function shown(fields: object, message = "run finished", colours = false): string {
  let line = "";
  const log = pino({ level: "trace" }, { write: (json) => void (line = json) });
  log.child({ repo: "acme/shop" }).warn(fields, message);
  return renderLogLine(line, { colours, clock: () => "14:03:22" });
}

describe("a line of the log on a terminal", () => {
  it("has time, level, message and fields, and nothing about the process", () => {
    expect(shown({ task: "acme/shop#12", durationMs: 120, found: true })).toBe(
      "14:03:22 WARN  run finished  repo=acme/shop  task=acme/shop#12  durationMs=120  found=true",
    );
  });

  it("says a key once, as it was said last", () => {
    expect(shown({ repo: "acme/other" })).toBe("14:03:22 WARN  run finished  repo=acme/other");
  });

  it("quotes what would not be told from the next field", () => {
    expect(shown({ reason: "waits for #7", empty: "", sum: "a=b", list: [1, "x y"] })).toBe(
      `14:03:22 WARN  run finished  repo=acme/shop  reason="waits for #7"  empty=""  sum="a=b"  list=[1,"x y"]`,
    );
  });

  it("shows an error's stack once, indented, with its code on the line", () => {
    const err = new AppError("store-conflict", "cannot write", { cause: new Error("disk full") });
    const [line, ...stack] = shown({ err }, "tick failed").split("\n");
    expect(line).toMatch(
      /^14:03:22 WARN {2}tick failed {2}repo=acme\/shop {2}err.code=store-conflict/,
    );
    expect(line).not.toContain("cannot write");
    expect(stack.filter((one) => one.includes("cannot write"))).toHaveLength(1);
    expect(stack.filter((one) => one.includes("disk full"))).toHaveLength(1);
    expect(stack.every((one) => one.startsWith("    "))).toBe(true);
  });

  it("shows an error without a stack on the line", () => {
    expect(shown({ err: "gone" })).toContain("err=gone");
    expect(shown({ err: { message: "it is gone" } })).toContain(`err="it is gone"`);
  });

  it("never lets a text move the cursor, change colours or begin a line of its own", () => {
    const hostile = "\u001b[2J\u001b]0;owned\u0007a\r\nb\u202ec\u009b31m";
    const err = new Error(hostile);
    err.stack = `Error: ${hostile}\n    at ${hostile}`;
    const text = shown({ [hostile]: hostile, nested: { [hostile]: hostile }, err }, hostile);
    const rest = text.split("\n").map((line, at) => (at === 0 ? line : line.replace(/^ {4}/, "")));
    expect(rest.join("")).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
    expect(
      text
        .split("\n")
        .slice(1)
        .every((line) => line.startsWith("    ")),
    ).toBe(true);
  });

  it("cuts values that nobody would read", () => {
    expect(shown({ blob: "x".repeat(100_000) }).length).toBeLessThan(700);
  });

  it("colours the level alone", () => {
    expect(shown({}, "run lost", true)).toBe(
      "14:03:22 \u001b[33mWARN \u001b[0m run lost  repo=acme/shop",
    );
  });
});
