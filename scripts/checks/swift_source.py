"""Swift source as text, for the checks beside it."""
import re

_NO_CODE = r'//[^\n]*|/\*.*?\*/|(#*)"""(?:\\.|.)*?"""\1|(#+)"[^\n]*?"\2|"(?:\\.|[^"\\\n])*"'


def blanked(text):
    """The text with comments and the contents of strings replaced by spaces; lines stay where they are."""
    return re.sub(_NO_CODE, lambda match: re.sub(r"[^\n]", " ", match[0]), text, flags=re.S)
