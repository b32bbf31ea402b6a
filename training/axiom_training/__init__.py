"""Self-play training, opponents from the past, evaluation, ratings and reports.

Needs the extra `train`. The core is used by its public names only, and no game is named here: what
an algorithm must know of a game it reads from the game's facts.
"""
