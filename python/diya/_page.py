"""The page of a report in a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os


class Page:
    """The page of `diya report --html`: timeline and all views, without a server."""

    def __init__(self, html: str, height: int) -> None:
        #: The page as one file.
        self.html = html
        #: Pixels in a notebook.
        self.height = height

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page, which any browser opens."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def widget(self) -> Any:
        """The page as a widget, for front ends that show no HTML with scripts. Needs anywidget."""
        from ._widget import PageWidget

        return PageWidget(html=self.html, height=self.height)

    def __repr__(self) -> str:
        return f"<diya.Page of {len(self.html)} bytes; save(PATH) writes it>"

    def _repr_html_(self) -> str:
        # A frame of its own: scripts of the page cannot reach the notebook.
        return (
            f'<iframe sandbox="allow-scripts allow-downloads" width="100%" height="{self.height}" '
            f'style="border:0" srcdoc="{escape(self.html)}"></iframe>'
        )
