import { signal } from "@preact/signals";

/** Where the page is: the path and what follows it. */
export const location = signal(read());

function read() {
  const { pathname, search, hash } = globalThis.location ?? { pathname: "/", search: "", hash: "" };
  return { path: pathname, query: new URLSearchParams(search), hash: hash.replace(/^#/, "") };
}

export function go(to: string) {
  history.pushState(null, "", to);
  location.value = read();
  scrollTo(0, 0);
}

/** Lets links within the site change the page without loading it anew. */
export function followLinks() {
  addEventListener("popstate", () => {
    location.value = read();
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.origin !== globalThis.location.origin || link.hasAttribute("download"))
      return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
