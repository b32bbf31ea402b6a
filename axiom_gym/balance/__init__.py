"""Balance reports: statistics of many games for the authors of a game, as a page and as JSON.

`axiom_gym.balance.report.balance` plays and returns the numbers; `axiom_gym.balance.page.write`
writes them as one HTML page, with a JSON file beside it.

Axis letters: G games, B of them at once, P players, V players who act at once, K sub-actions, N
choices, A agents, C actions by name.
"""
