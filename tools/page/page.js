"use strict";
(() => {
  const data = JSON.parse(document.getElementById("record").textContent);
  const { strings, panes: lanes, common, together } = data;
  const last = Math.max(...lanes.map((frames) => frames.length - 1));
  const panes = [...document.querySelectorAll(".pane")];
  const names = panes.map((pane) => pane.querySelector(".name").textContent);
  const slider = document.getElementById("slider");
  const player = document.getElementById("player");
  const buttons = [...player.querySelectorAll("button[data-to]")];
  const violation = lanes
    .map((frames) => frames.findIndex((frame) => frame.refused.length))
    .filter((at) => at >= 0)
    .sort((one, other) => one - other)[0];
  let at = -1;

  const texts = (numbers) => numbers.map((number) => strings[number]);

  const item = ([text, rules]) => {
    const line = document.createElement("li");
    line.append(strings[text]);
    for (const id of texts(rules)) {
      const link = document.createElement("a");
      link.href = `#${id}`;
      link.textContent = id;
      line.append(" ", link);
    }
    return line;
  };

  const draw = (pane, frame) => {
    const part = (name) => pane.querySelector(name);
    const heading = strings[frame.heading];
    part(".board").hidden = frame.box === null;
    // Safe as HTML: a picture has only texts of the game itself, and those of panels are escaped.
    if (frame.box !== null) {
      const [width, height] = frame.box;
      part(".board").innerHTML =
        `<svg viewBox="0 0 ${width} ${height}" role="img">${texts(frame.board).join("")}</svg>`;
      part(".board").firstChild.setAttribute("aria-label", `Board ${heading}`);
    }
    part(".beside").innerHTML = texts(frame.beside).join("");
    part(".heading").textContent = heading;
    part(".turn").textContent = strings[frame.turn];
    const explanation = frame.explanation === null ? "" : strings[frame.explanation];
    part(".explanation").textContent = explanation;
    part(".comment").textContent = frame.comment === null ? "" : strings[frame.comment];
    part(".events").replaceChildren(...[...frame.events, ...frame.refused].map(item));
    part(".events").classList.toggle("refused", frame.refused.length > 0);
    frame.facts.forEach((facts, seat) => {
      const cells = pane.querySelectorAll(".seats tbody tr")[seat].querySelectorAll("td");
      texts(facts).forEach((fact, column) => (cells[column].textContent = fact));
    });
    const held = pane.querySelectorAll(".holds dd");
    frame.holds.forEach((holds, seat) => (held[seat].textContent = texts(holds).join(", ") || "nothing"));
    part(".position").textContent = strings[frame.position];
    const what = [...frame.events, ...frame.refused].map(([text]) => strings[text]);
    return [heading, explanation, ...what, strings[frame.turn]].filter(Boolean).join(". ");
  };

  const show = (wanted, speak) => {
    const before = at;
    at = Math.min(Math.max(wanted, 0), last);
    const same = lanes.length > 1 && at <= common;
    const descriptions = panes.map((pane, lane) => {
      pane.hidden = same && lane > 0;
      pane.classList.toggle("over", at > lanes[lane].length - 1);
      pane.querySelector(".name").textContent = same ? together : names[lane];
      return pane.hidden ? "" : draw(pane, lanes[lane][Math.min(at, lanes[lane].length - 1)]);
    });
    slider.value = at;
    slider.setAttribute("aria-valuetext", `Entry ${at} of ${last}`);
    document.getElementById("where").textContent = `${at} / ${last}`;
    for (const button of buttons) {
      const to = target(button.dataset.to);
      button.setAttribute("aria-disabled", String(to === at));
    }
    for (const link of document.querySelectorAll(".entries a")) {
      const current = link.hash === `#entry=${at}`;
      if (current) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
      if (current) reveal(link);
    }
    if (speak && at !== before) document.getElementById("status").textContent = descriptions.filter(Boolean).join(" ");
  };

  // Scrolls only the list, unlike scrollIntoView, which also scrolls the page.
  const reveal = (link) => {
    const list = link.closest(".entries");
    const top = link.offsetTop;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + link.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = top + link.offsetHeight - list.clientHeight;
  };

  const target = (to) =>
    Math.min(
      Math.max({ first: 0, back: at - 1, next: at + 1, last, violation, difference: common + 1 }[to], 0),
      last,
    );

  const go = (wanted) => {
    show(wanted, true);
    history.replaceState(null, "", `#entry=${at}`);
  };

  const linked = () => {
    const found = /^#entry=(\d{1,6})$/.exec(location.hash);
    return found ? Number(found[1]) : null;
  };

  for (const button of buttons) button.addEventListener("click", () => go(target(button.dataset.to)));
  slider.addEventListener("input", () => go(Number(slider.value)));
  addEventListener("hashchange", () => {
    const wanted = linked();
    if (wanted !== null) show(wanted, true);
  });

  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
  addEventListener("keydown", (event) => {
    const to = keys[event.key];
    const plain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey);
    // The slider handles these keys itself.
    if (!to || !plain || event.target === slider) return;
    event.preventDefault();
    go(target(to));
  });

  const theme = document.getElementById("theme");
  const remembered = (value) => {
    try {
      if (value) localStorage.setItem("shiji-theme", value);
      return localStorage.getItem("shiji-theme");
    } catch {
      return null; // A page opened from a file may have no storage.
    }
  };
  const applyTheme = (value) => {
    document.documentElement.dataset.theme = value;
    theme.textContent = value === "dark" ? "Light theme" : "Dark theme";
  };
  theme.addEventListener("click", () => {
    const value = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    applyTheme(value);
    remembered(value);
  });
  applyTheme(remembered() || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));

  document.documentElement.classList.add("ready");
  show(linked() ?? data.first, false);
})();
