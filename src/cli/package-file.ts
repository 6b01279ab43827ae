/** A file that comes with the program: the same distance from the sources as from the built files. */
export function packageFile(name: "package.json" | "app.yml"): URL {
  return new URL(`../../${name}`, import.meta.url);
}
