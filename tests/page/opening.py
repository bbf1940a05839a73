"""Opens pages of a server in a browser, and notes every request that goes elsewhere."""

from typing import Self

from playwright.sync_api import Browser, BrowserContext, Page, Route

from tests.page.test_browser import AXE

Violations = list[tuple[str, str, str]]


def axe_faults(page: Page) -> Violations:
    """What the accessibility checker finds on a page, in its light theme and in its dark one."""
    page.evaluate(AXE)
    page.emulate_media(color_scheme="dark")
    dark = _found(page, {"runOnly": ["color-contrast"]})  # nothing but colours depends on the theme
    page.emulate_media(color_scheme="light")
    return [*dark, *_found(page, {})]


def _found(page: Page, options: dict[str, list[str]]) -> Violations:
    found: Violations = page.evaluate(
        "async (options) => (await axe.run(options)).violations.map(v => [v.impact, v.id, v.help])", options
    )
    return found


class Opened:
    """Pages that are open, each in a window of its own size; all are closed in the end."""

    def __init__(self, browser: Browser, web: str) -> None:
        self._browser = browser
        self._web = web
        self._contexts: list[BrowserContext] = []
        self.foreign: list[str] = []
        """Requests that went to another server, and were stopped."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for context in self._contexts:
            context.close()

    def page(self, path: str, width: int = 1280) -> Page:
        """A page in a window of this width."""
        context = self._browser.new_context(viewport={"width": width, "height": 800})
        self._contexts.append(context)
        page = context.new_page()
        page.route(lambda address: self._web not in address, self._stop)
        page.goto(f"http://{self._web}{path}")
        return page

    def _stop(self, route: Route) -> None:
        self.foreign.append(route.request.url)
        route.abort()
