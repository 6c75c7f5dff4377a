"""What several tools need.  Folders and modules use only what stands above them here:

==========  ==============================================================================================
errors      errors shown to the user
paths       where things are in this repository
files       files written whole, folders with one user at a time, files told apart by SHA-256
process     child processes that may misbehave but neither hurt nor outlive this one; processor cores
statistics  Elo, normalised Elo, LOS, pentanomial GSPRT, ratings
shogi       sides, positions over cshogi, openings, declarations, the ways to end
usi         limits, clocks, the text of the protocol, the conversation with an engine, searches outside of games
play        games: referee, record, players; workers that play them, here or on a Dask cluster
options     options of the command line that several tools have
tool        how every tool begins and ends
==========  ==============================================================================================
"""
