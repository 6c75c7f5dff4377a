"""Programs that drive the engine and look for faults, behind one command: ``kurosabi-tools check NAME``."""
