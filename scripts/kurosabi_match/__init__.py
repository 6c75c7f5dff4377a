"""Matches between USI shogi engines: play, referee, record, measure.

The package stands behind ``scripts/match.py``.  Modules use only what stands above them here:

==============  ==================================================================
errors          errors shown to the user
lock            one runner a folder; files written whole
files           engines' files told apart by SHA-256
color           the two sides
limits, clock   time controls, and the runner's own clock
usi             the text of the protocol: ``info``, ``bestmove``, ``go``
statistics      Elo, normalised Elo, LOS, pentanomial GSPRT, ratings
position        rules on the board: legality, check, repetition (over cshogi)
declaration     entering-king rules
referee         how a game ends
openings        opening files
settings        everything that defines a match; saved beside its record
record          what is kept of a game
cores           processor cores for games
guard, process  one child process that can misbehave but not hurt or outlive us
engine          the conversation with one engine
player          an engine with a clock and a side
game            one scheduled game, replays of draws included
slots           places for games, engines kept from one to the next
worker          what an executor calls
schedule        who meets whom, from which opening
tally           counts over finished games
notation        scores, times and lines of play as people read them
kif, csa        record files
store           the folder a match is kept in; resuming
executor        local threads or a Dask cluster behind one interface
summary         the result as tables
progress        what is shown while the match runs
report          PNG and HTML summary
runner          the match itself
cli             the command line
==============  ==================================================================
"""
