"""Whether everything on a page can be read at its width: nothing covered, cut off or beside the screen."""

from playwright.sync_api import Page

WIDTHS = (360, 768, 1280, 1920)
"""From a phone to a large screen, in pixels."""

_FAULTS = """() => {
  const faults = [];
  const width = document.documentElement.clientWidth;
  const say = (element, what) =>
    faults.push(`${what}: <${element.tagName.toLowerCase()}> ${element.textContent.trim().slice(0, 40)}`);
  if (document.documentElement.scrollWidth > width) faults.push("the page scrolls sideways");
  for (const part of document.querySelectorAll("details")) part.open = true;

  const readable = (element) =>
    element.checkVisibility() &&
    !element.closest(".unseen, .skip, .wide thead") &&
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const rectangles = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return [...range.getClientRects()].filter((box) => box.width > 0 && box.height > 0);
  };
  const within = (box, outer) => box.left >= outer.left - 1 && box.right <= outer.right + 1;

  let entries = 0;
  for (const element of document.querySelectorAll("body *")) {
    if (!readable(element)) continue;
    // A long list of entries is all alike.
    if (element.closest(".entries") && entries++ % 40) continue;
    element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const boxes = rectangles(element);
    const screen = { left: 0, right: width };
    if (!boxes.every((box) => within(box, screen))) say(element, "beside the screen");
    for (let outer = element.parentElement; outer; outer = outer.parentElement) {
      const style = getComputedStyle(outer);
      const clips = outer.tagName === "svg" || style.overflowX !== "visible";
      if (clips && !boxes.every((box) => within(box, outer.getBoundingClientRect()))) say(element, "cut off");
    }
    for (const box of boxes.slice(0, 3)) {
      const y = box.top + box.height / 2;
      if (y < 0 || y > innerHeight) continue;
      const top = document.elementFromPoint(box.left + box.width / 2, y);
      const whole = element.closest("svg") || element;
      const mine = top && (whole.contains(top) || top.contains(element));
      if (!mine) say(element, `covered by <${top && top.tagName.toLowerCase()}>`);
    }
  }
  return faults;
}"""


def layout_faults(page: Page) -> list[str]:
    """What cannot be read, in words."""
    found: list[str] = page.evaluate(_FAULTS)
    return found
