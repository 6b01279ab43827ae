import { foldPattern } from "../glob/fold-case.ts";
import type { PathPattern } from "../glob/path-pattern.ts";
import { areaOf } from "./area.ts";
import type { Area } from "./area.ts";
import { excludedPaths, readPattern } from "./compile-pattern.ts";
import type { IsDirectory } from "./compile-pattern.ts";

/** These files change how git treats other files, or what checks run: their tasks run alone. */
export const DEFAULT_BARRIER_FILES: readonly string[] = [
  "**/.gitattributes",
  "**/.gitignore",
  "**/.gitmodules",
  ".github/**",
];

/** Many tasks may write these files: the train merges or regenerates them. */
export const DEFAULT_SHARED_FILES: readonly string[] = [
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "bun.lockb",
  "deno.lock",
  "Cargo.lock",
  "go.sum",
  "poetry.lock",
  "uv.lock",
  "Pipfile.lock",
  "Gemfile.lock",
  "composer.lock",
  "mix.lock",
  "pubspec.lock",
  "flake.lock",
  "Package.resolved",
  "Podfile.lock",
  "packages.lock.json",
  "gradle.lockfile",
  "CHANGELOG.md",
].map((name) => `**/${name}`);

export interface ClaimOptions {
  /** These are patterns; the default is `DEFAULT_BARRIER_FILES`. */
  readonly barrier?: readonly string[] | undefined;
  /** These are patterns; the default is `DEFAULT_SHARED_FILES`. */
  readonly shared?: readonly string[] | undefined;
  /** It asks the base tree about a literal path. */
  readonly isDirectory?: IsDirectory | undefined;
}

/** These are the repository's rules for reading claims, prepared once. */
export interface ClaimRules {
  readonly barrier: Area;
  readonly shared: Area;
  readonly isDirectory: IsDirectory | undefined;
}

/** The configuration's schema has refused unreadable patterns; one that gets here is a bug. */
export function claimRules(options: ClaimOptions = {}): ClaimRules {
  return {
    barrier: areaOf((options.barrier ?? DEFAULT_BARRIER_FILES).flatMap(readRule)),
    shared: areaOf((options.shared ?? DEFAULT_SHARED_FILES).flatMap(readRule)),
    isDirectory: options.isDirectory,
  };
}

function readRule(text: string): PathPattern[] {
  const read = readPattern(text);
  const paths = read.ok ? excludedPaths(read.value) : read;
  if (!paths.ok) throw new Error(`not a path pattern: ${text} (${paths.error})`);
  return paths.value.map(foldPattern);
}
