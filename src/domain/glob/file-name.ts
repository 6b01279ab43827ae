const FILE_NAMES: ReadonlySet<string> = new Set([
  "brewfile",
  "cname",
  "codeowners",
  "containerfile",
  "dockerfile",
  "gemfile",
  "gnumakefile",
  "jenkinsfile",
  "justfile",
  "makefile",
  "pipfile",
  "podfile",
  "procfile",
  "rakefile",
  "vagrantfile",
  "authors",
  "changelog",
  "contributing",
  "copying",
  "license",
  "licence",
  "notice",
  "readme",
  "version",
  ".editorconfig",
  ".env",
  ".gitattributes",
  ".gitkeep",
  ".gitmodules",
  ".node-version",
  ".python-version",
  ".ruby-version",
  ".tool-versions",
]);

/** Directories with these endings look like files; most of them are Apple's. */
const DIRECTORY_ENDINGS: ReadonlySet<string> = new Set([
  "app",
  "appiconset",
  "bundle",
  "colorset",
  "d",
  "docc",
  "framework",
  "git",
  "imageset",
  "lproj",
  "playground",
  "wiki",
  "xcassets",
  "xcdatamodeld",
  "xcframework",
  "xcodeproj",
  "xcworkspace",
]);

const HIDDEN_FILE = /^\.\w[\w-]*(?:ignore|rc)$/;
/** An ending without a letter (`v1.2`) is as likely a directory. */
const ENDING = /[^.].*\.([a-z0-9_-]*[a-z][a-z0-9_-]*)$/;

/** Tells whether a name is read as a file rather than as a file or a directory. */
export function looksLikeFile(name: string): boolean {
  const lower = name.toLowerCase();
  if (FILE_NAMES.has(lower) || HIDDEN_FILE.test(lower)) return true;
  const ending = ENDING.exec(lower)?.[1];
  return ending !== undefined && !DIRECTORY_ENDINGS.has(ending);
}
