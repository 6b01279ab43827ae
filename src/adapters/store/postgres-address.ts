/** Where a database is, without who may use it: safe for logs and messages. */
export function postgresAddress(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = searchParams.get("host") ?? (hostname || "localhost");
  return `postgres://${decodeURIComponent(host)}${port && `:${port}`}${pathname}`;
}
