/** GitHub lets no App touch workflow files without a permission of its own: trying again is of no use, a person has to do it. */
export function isWorkflowRefusal(reason: string): boolean {
  return /without `?workflows`? permission/.test(reason);
}
