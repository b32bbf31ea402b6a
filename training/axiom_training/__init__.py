"""Self-play training, snapshots as opponents, evaluation, ratings and reports.

This package needs the extra `train`. It uses only the core's public names, and it names no game:
algorithms read what they need from a game's facts.
"""
