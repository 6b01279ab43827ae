/**
 * Asks for the page again every two seconds while it is looked at and takes over the parts that changed.
 * It never replaces the whole page: a half-written review, a folded file and the place on the board stay.
 */
export const REFRESH_SCRIPT = `
const ended = document.getElementById("ended");
const keyOf = (part) => part.dataset.key ?? part.innerHTML;
function renew(old, now) {
  if (now === null || keyOf(now) === keyOf(old)) return;
  const held = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  old.replaceWith(now);
  if (held === null) return;
  [...now.querySelectorAll("a")].find((link) => link.getAttribute("href") === held)?.focus({ preventScroll: true });
}
async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.pathname, { headers: { accept: "text/html" } });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const old of document.querySelectorAll("[data-live]")) renew(old, fresh.getElementById(old.id));
    ended.hidden = true;
  } catch {
    ended.hidden = false;
  }
}
setInterval(look, 2000);
document.addEventListener("visibilitychange", look);
`;
