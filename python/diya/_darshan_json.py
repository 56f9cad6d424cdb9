"""JSON of reports with arrays and times."""

from __future__ import annotations

import datetime
import json
from typing import Any


class DarshanReportJSONEncoder(json.JSONEncoder):
    """Arrays become lists, numbers of NumPy those of Python, times text."""

    def default(self, o: Any) -> Any:
        """What JSON does not know by itself."""
        if isinstance(o, datetime.datetime):
            return o.isoformat()
        if hasattr(o, "tolist"):
            return o.tolist()
        return super().default(o)
