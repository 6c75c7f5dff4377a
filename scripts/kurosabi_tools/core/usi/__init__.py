"""USI engines: limits, clocks, the text of the protocol, the conversation with one engine."""
