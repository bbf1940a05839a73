// Starts a match, and shows the link of each seat.

import { announce, call, complaints, element, requestId } from "./calls.js";

const chosen = (form, kind) => [...form.querySelectorAll(`select[data-kind="${kind}"]`)]
  .filter((each) => each.value !== each.dataset.usual)
  .map((each) => ({ name: each.name, value: each.value }));

const link = (name, address) => {
  const copy = element("button", { type: "button", class: "copy", "data-copy": address, "aria-label": `Copy the link of ${name}` }, "copy");
  return element("li", {}, element("a", { href: address }, element("bdi", {}, name)), " ", copy);
};

const started = (seats, { match, seatTokens = [] }) => {
  const here = `/matches/${encodeURIComponent(match.matchId)}`;
  const links = seats.map((name, number) => link(name, seatTokens.length ? `${here}#token=${seatTokens[number]}` : `${here}?as=${number}`));
  const why = seatTokens.length
    ? "Give each link to its player only: it is the key to the seat, and is not shown again."
    : "This server asks for no tokens: everybody who reaches it can open each of them.";
  return [element("h2", {}, "The match has started"), element("p", {}, why), element("ul", { id: "seat-links" }, ...links),
    element("p", {}, element("a", { href: here }, "The match as spectators see it"))];
};

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.id !== "start-form") return;
  event.preventDefault();
  const button = form.querySelector("button:not([type])");
  button.disabled = true;
  const data = new FormData(form);
  const seats = data.getAll("seat").map((name) => name.trim()).filter(Boolean);
  const { ok, body } = await call("StartMatch", {
    requestId: requestId(), game: form.dataset.game, seats, chance: data.get("chance"),
    edition: data.get("edition") ?? "", components: data.get("components") ?? "",
    options: chosen(form, "options"), rulings: chosen(form, "rulings"),
  });
  button.disabled = false;
  const answer = document.getElementById("start-answer");
  answer.className = ok ? "verdict verified" : "verdict illegal";
  answer.replaceChildren(...(ok ? started(seats, body) : complaints(body)));
  announce(answer.textContent);
  answer.focus();
});
