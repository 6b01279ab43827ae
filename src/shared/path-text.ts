/** Says where in a JSON value something is: `tasks[1].files[0]`. */
export function pathText(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`));
  return steps.join("").replace(/^\./, "") || "the whole";
}
