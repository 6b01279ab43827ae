import { describe, expect, it } from "vitest";
import { askedPause } from "../../../../src/adapters/github/connection/github-failure.ts";

const DATE = { date: "Fri, 15 Jan 2027 08:00:00 GMT" };
const RESET = { ...DATE, "x-ratelimit-reset": "1800000600" };
const USED_UP = { ...RESET, "x-ratelimit-remaining": "0" };

describe("the pause that an answer asks for", () => {
  it.each([
    {
      what: "the seconds that it names",
      headers: { "retry-after": "30" },
      limited: true,
      ...of("all", 30),
    },
    {
      what: "these before any other",
      headers: { ...USED_UP, "retry-after": "30" },
      limited: true,
      ...of("all", 30),
    },
    { what: "the rest of a used up hour", headers: USED_UP, limited: true, ...of("this-api", 600) },
    {
      what: "the same of an answer that went well",
      headers: USED_UP,
      limited: false,
      ...of("this-api", 600),
    },
    {
      what: "a minute of a limit that names nothing",
      headers: {},
      limited: true,
      ...of("all", 60),
    },
    {
      what: "a minute of a time that has passed",
      headers: { ...USED_UP, "x-ratelimit-reset": "1" },
      limited: true,
      ...of("all", 60),
    },
    {
      what: "none while something is left",
      headers: { ...RESET, "x-ratelimit-remaining": "7" },
      limited: false,
      pause: undefined,
    },
    { what: "none of an answer without a word", headers: {}, limited: false, pause: undefined },
  ])("is $what", ({ headers, limited, pause }) => {
    expect(askedPause(headers, limited)).toEqual(pause);
  });
});

function of(whom: string, seconds: number) {
  return { pause: { ms: seconds * 1000, of: whom } };
}
