import { describe, expect, it } from "vitest";
import { decideRenames } from "../../../src/app/repositories/decide-renames.ts";
import { repoName } from "../../../src/domain/ids.ts";
import { NOW } from "../../support/builders.ts";

const named = (id: number, name: string) => ({ id, repo: repoName(`octo/${name}`) });
const known = (id: number, name: string) => ({ ...named(id, name), until: undefined });
const lines = (...given: Parameters<typeof decideRenames>) =>
  decideRenames(...given).map(({ id, from, to }) => `${id}: ${from} ${to}`);

describe("decideRenames", () => {
  it("says nothing of repositories that are called as before, are gone, or are new", () => {
    expect(lines([known(1, "a"), known(2, "b")], [named(1, "a"), named(3, "c")])).toEqual([]);
  });

  it("follows the number of a repository, not its name", () => {
    expect(lines([known(1, "a")], [named(1, "b")])).toEqual(["1: octo/a octo/b"]);
  });

  it("does not follow names of before", () => {
    const names = [{ ...known(1, "a"), until: NOW }, known(1, "b")];
    expect(lines(names, [named(1, "b"), named(2, "a")])).toEqual([]);
  });

  it("puts a repository aside that is gone and whose name another one has", () => {
    expect(lines([known(1, "a")], [named(2, "a")])).toEqual(["1: octo/a octo/a.1.git"]);
  });

  it("brings a repository that was put aside to its name when it comes back", () => {
    expect(lines([known(1, "a.1.git")], [named(1, "b")])).toEqual(["1: octo/a.1.git octo/b"]);
  });

  it("lets two repositories change names", () => {
    expect(lines([known(1, "a"), known(2, "b")], [named(1, "b"), named(2, "a")])).toEqual([
      "1: octo/a octo/a.1.git",
      "2: octo/b octo/b.2.git",
      "1: octo/a.1.git octo/b",
      "2: octo/b.2.git octo/a",
    ]);
  });

  it("lets one repository take the name that another one leaves", () => {
    expect(lines([known(1, "a"), known(2, "b")], [named(1, "b"), named(2, "c")])).toEqual([
      "2: octo/b octo/b.2.git",
      "1: octo/a octo/b",
      "2: octo/b.2.git octo/c",
    ]);
  });
});
