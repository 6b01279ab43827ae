/** A place for what is in the way: nothing in the data folder keeps the app from its work, and nothing of it is thrown away unseen. */
export interface Aside {
  /**
   * Moves it to `<data>/aside/<when>/…` and answers where it is then, or leaves it where it is if that cannot be done.
   * Says so once; never throws.
   */
  put(path: string, why: string): Promise<string | undefined>;
  /** Deletes it; what cannot be deleted is put aside. */
  remove(path: string): Promise<void>;
}
