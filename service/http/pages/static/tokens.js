// Sends the tab's token, if it has one, with everything that a page loads. A token comes from the form of the
// page that asks for one or from the fragment of the address, which reaches no log; it is never part of a path
// or a query.

const KEY = "shiji-token";

export const headers = () => {
  const token = sessionStorage.getItem(KEY);
  return token ? { authorization: `Bearer ${token}` } : {};
};

const fragment = new URLSearchParams(location.hash.slice(1)).get("token");
if (fragment) {
  sessionStorage.setItem(KEY, fragment);
  history.replaceState(null, "", location.pathname + location.search);
}

/** Replace the content of the page by that of an address, without losing the place of the reader. */
export const show = async (address) => {
  const response = await fetch(address, { headers: { ...headers(), accept: "text/html" } });
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  const list = document.querySelector(".entries");
  const scrolled = list ? list.scrollTop : 0;
  document.title = fresh.title;
  document.getElementById("main").replaceWith(fresh.getElementById("main"));
  const again = document.querySelector(".entries");
  if (again) again.scrollTop = scrolled;
  document.dispatchEvent(new CustomEvent("shown", { detail: response.status }));
  return response.status;
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

document.documentElement.classList.add("scripted");
document.addEventListener("submit", (event) => {
  if (event.target.id !== "token-form") return;
  event.preventDefault();
  sessionStorage.setItem(KEY, new FormData(event.target).get("token"));
  show(location.href);
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[download]");
  if (!link || !sessionStorage.getItem(KEY)) return;
  event.preventDefault();
  save(link);
});

// The server answered without the token: ask again with it.
if (document.getElementById("token-form") && sessionStorage.getItem(KEY)) {
  const status = await show(location.href);
  if (status === 401) sessionStorage.removeItem(KEY);
}
