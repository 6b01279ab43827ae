const HTML = { accept: "text/html" };

/** Opens the pages of a local GitHub by their link, as a browser would; answers the headers to go on with. */
export async function openPages(link: string): Promise<{ accept: string; cookie: string }> {
  const answer = await fetch(link, { headers: HTML, redirect: "manual" });
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  return { ...HTML, cookie };
}

/** Waits for the first pull request on the board; answers its path. */
export async function firstPull(board: string): Promise<string> {
  const headers = await openPages(board);
  for (;;) {
    const page = await (await fetch(board, { headers })).text();
    const found = /href="(\/local\/[^"]+\/pull\/\d+)"/.exec(page)?.[1];
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The commit that a review of the pull request would be about. */
async function headOf(board: string, path: string): Promise<string> {
  const page = await (
    await fetch(new URL(path, board), { headers: await openPages(board) })
  ).text();
  return /name="head" value="([^"]*)"/.exec(page)?.[1] ?? "";
}

/** Waits until another commit is under review. */
export async function newHead(board: string, path: string, before: string): Promise<string> {
  for (;;) {
    const head = await headOf(board, path);
    if (head !== before) return head;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Sends a review of what is there now; answers the commit that it is about. */
export async function review(
  board: string,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const url = new URL(path, board);
  const headers = await openPages(board);
  const page = await (await fetch(url, { headers })).text();
  const value = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";
  const head = value("head");
  const body = new URLSearchParams({ token: value("token"), head, ...fields });
  const answer = await fetch(url, { method: "POST", body, headers, redirect: "manual" });
  if (answer.status !== 303) throw new Error(`the review was answered by ${answer.status}`);
  return head;
}
