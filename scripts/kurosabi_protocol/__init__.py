"""A scripted USI client that plays cases in which engines and clients have misunderstood each other."""
