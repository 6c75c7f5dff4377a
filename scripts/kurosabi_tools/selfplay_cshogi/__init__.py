"""An engine plays itself through cshogi's USI client, and every answer is checked: ``scripts/selfplay_cshogi.py``.

=======  =================================================================
player   one engine process behind cshogi's client, with a watchdog
judge    cshogi's board, repetition by the letter of the rule, shown lines
core     one game, and many at once
report   what is shown of the games
cli      the command line
=======  =================================================================
"""
