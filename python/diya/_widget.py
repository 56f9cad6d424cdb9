"""The page of a report as a widget: JupyterLab, VS Code, marimo."""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

# A frame of its own: scripts of the page cannot reach the notebook.
_SHOW = """
export default {
    render({ model, el }) {
        const frame = document.createElement("iframe");
        frame.setAttribute("sandbox", "allow-scripts allow-downloads");
        frame.style.border = "0";
        frame.style.width = "100%";
        const fill = () => { frame.srcdoc = model.get("html"); };
        const resize = () => { frame.style.height = `${model.get("height")}px`; };
        model.on("change:html", fill);
        model.on("change:height", resize);
        fill();
        resize();
        el.appendChild(frame);
        return () => {
            model.off("change:html", fill);
            model.off("change:height", resize);
        };
    },
};
"""


class PageWidget(anywidget.AnyWidget):  # type: ignore[misc,unused-ignore]
    """The page of `diya report --html`; `html` and `height` can be changed."""

    _esm: Any = _SHOW
    #: The page as one file.
    html = traitlets.Unicode().tag(sync=True)
    #: Pixels.
    height = traitlets.Int(600).tag(sync=True)
