import type { Manifest } from "./manifest.ts";

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}" +
  "button{font:inherit;padding:.5rem 1rem}code{background:#8882;padding:.1rem .3rem}";

/** One button that sends the manifest to GitHub. */
export function renderFormPage(manifest: Manifest, action: string): string {
  const permissions = Object.entries(manifest.default_permissions).map(
    ([name, level]) => `<li><code>${escapeHtml(`${name}: ${level}`)}</code></li>`,
  );
  const { url, active } = manifest.hook_attributes;
  const webhook = active
    ? `Webhooks go to <code>${escapeHtml(url)}</code>.`
    : "Webhooks are off, since no public address was given: boards are read by a timer.";
  return page(
    "Create the GitHub App",
    `<p>GitHub shows what it is going to make, and asks for your word. ${webhook}</p>
<ul>${permissions.join("")}</ul>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="manifest" value="${escapeHtml(JSON.stringify(manifest))}">
<button>Create ${escapeHtml(manifest.name)} on GitHub</button>
</form>`,
  );
}

export function renderWordsPage(title: string, words: string): string {
  return page(title, `<p>${escapeHtml(words)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Wavetrain: ${escapeHtml(title)}</title><style>${STYLE}</style>
<h1>${escapeHtml(title)}</h1>
${body}
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
