"""Options of the command line that several tools have.  Not imported by workers, which have no command line."""
