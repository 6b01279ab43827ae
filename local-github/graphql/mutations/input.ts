/** Is the one argument that every mutation of GitHub takes. */
export interface Input<T> {
  readonly input: T & { readonly clientMutationId?: string | null };
}
