"""Text files that people write."""

from __future__ import annotations

from pathlib import Path

from kurosabi_tools.core.errors import ToolError


def read_lines(path: Path) -> list[str]:
    """The lines of a file of UTF-8, without the white space around them.  Raises ToolError naming the file."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # Windows' editor may put a mark before the first line
    except OSError as error:
        raise ToolError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ToolError(f"{path}: {error}") from error
    return [line.strip() for line in text.splitlines()]
