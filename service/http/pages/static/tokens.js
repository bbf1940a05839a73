// Sends the tab's token, if it has one, with everything that a page loads. A token comes from the form of the
// page that asks for one or from the fragment of the address, which reaches no log; it is never part of a path
// or a query.

import { reveal } from "./scripted.js";

const KEY = "shiji-token";

export const headers = () => {
  const token = sessionStorage.getItem(KEY);
  return token ? { authorization: `Bearer ${token}` } : {};
};

/** Keep the token of the address, if it has one, and remove it from there. */
const keepToken = () => {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return false;
  sessionStorage.setItem(KEY, token);
  history.replaceState(null, "", location.pathname + location.search);
  return true;
};
const brought = keepToken();

/** What an address answers, as a document that can replace this one. */
export const load = async (address, request = {}) => {
  const sent = { ...headers(), accept: "text/html", ...(request.body ? { "content-type": "application/json" } : {}) };
  const response = await fetch(address, { ...request, headers: sent });
  const content = new DOMParser().parseFromString(await response.text(), "text/html");
  return { ok: response.ok, status: response.status, content };
};

/** Replace the content of the page, without losing the place of the reader. */
export const replace = ({ status, content }) => {
  const list = document.querySelector(".entries");
  const scrolled = list ? list.scrollTop : 0;
  const atEnd = list && scrolled + list.clientHeight > list.scrollHeight - 2;
  const main = document.getElementById("main");
  const focused = main.contains(document.activeElement) ? document.activeElement.id : null;
  document.title = content.title;
  for (const part of ["body > nav", "#main", "footer"]) {
    const [old, fresh] = [document.querySelector(part), content.querySelector(part)];
    if (part === "#main" || !old.isEqualNode(fresh)) old.replaceWith(fresh);
  }
  reveal();
  if (focused !== null) (document.getElementById(focused) ?? document.getElementById("main")).focus({ preventScroll: true });
  const again = document.querySelector(".entries");
  if (again) again.scrollTop = atEnd ? again.scrollHeight : scrolled;
  document.dispatchEvent(new CustomEvent("shown", { detail: status }));
};

let shows = 0;

/** Show what an address answers; only the last of several that are under way is shown. */
const show = async (address, isWanted) => {
  const number = ++shows;
  const found = await load(address);
  if (!isWanted(found)) throw new Error(String(found.status));
  if (number === shows) replace(found);
  return found.status;
};

/** Show this page as it is now; throws where the server refuses that, and leaves the page as it was. */
export const refresh = () => show(location.href, ({ ok }) => ok);

/** Show this page with the token of the tab; one that is refused is forgotten. */
const showWithToken = async () => {
  try {
    if (await show(location.href, () => true) === 401) sessionStorage.removeItem(KEY);
  } catch {
    document.getElementById("said").textContent = "The server cannot be reached.";
  }
};

const save = async (link) => {
  const response = await fetch(link.href, { headers: headers() });
  const named = /filename\*=UTF-8''(.*)$/.exec(response.headers.get("content-disposition") || "");
  const temporary = document.createElement("a");
  temporary.href = URL.createObjectURL(await response.blob());
  temporary.download = named ? decodeURIComponent(named[1]) : "record";
  temporary.click();
  URL.revokeObjectURL(temporary.href);
};

document.addEventListener("submit", (event) => {
  if (event.target.id !== "token-form") return;
  event.preventDefault();
  sessionStorage.setItem(KEY, new FormData(event.target).get("token").trim());
  showWithToken();
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[download]");
  if (!link || !sessionStorage.getItem(KEY)) return;
  event.preventDefault();
  save(link);
});

addEventListener("hashchange", () => { if (keepToken()) showWithToken(); });

// The server answered without the token: ask again with it. One that came with the address is for another view.
if ((brought || document.getElementById("token-form")) && sessionStorage.getItem(KEY)) await showWithToken();
