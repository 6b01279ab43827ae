import { CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import { doctorCommand, showProgress } from "../../../src/cli/doctor/doctor-command.ts";

describe("wavetrain doctor", () => {
  it.each([
    [["--repo", "shop"], 2],
    [["--unknown"], 1],
  ])("refuses %j before it looks at anything", async (args, code) => {
    const command = doctorCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    const end = command.parseAsync(args, { from: "user" });
    const error: unknown = await end.catch((thrown: unknown) => thrown);
    // Commander's own code is turned into 2 for every command of the program.
    expect(error instanceof CommanderError && error.exitCode).toBe(code);
  });
});

describe("showProgress", () => {
  it("writes over its line on a terminal and adds lines anywhere else", () => {
    const written: string[] = [];
    const write = (text: string) => written.push(text);
    for (const isTTY of [true, false]) {
      const progress = showProgress({ isTTY, write });
      progress.say("looking");
      progress.clear();
    }
    expect(written).toEqual(["\r\u001b[Klooking …", "\r\u001b[K", "looking\n"]);
  });
});
