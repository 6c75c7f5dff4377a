"""Matches between USI shogi engines."""
