"""Overlays: documents that repair another one without editing it.

https://spec.openapis.org/overlay/v1.1.0.html
"""

from mcpgen.read.overlay.apply import overlaid

__all__ = ["overlaid"]
