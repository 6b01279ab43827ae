const HTML = { accept: "text/html" };

/** Opens the pages of a local GitHub by their link, as a browser would; answers the headers to go on with. */
export async function openPages(link: string): Promise<{ accept: string; cookie: string }> {
  const answer = await fetch(link, { headers: HTML, redirect: "manual" });
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  return { ...HTML, cookie };
}
