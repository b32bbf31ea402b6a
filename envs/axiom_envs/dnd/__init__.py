"""Dungeons & Dragons fifth edition, by the rules of the System Reference Document 5.1.

`axiom_envs.dnd.engine` is the engine. `data` holds weapons, armour, creatures and scenarios;
`geometry` and `grid` hold maps and their squares. The game to train on is `axiom_envs.skirmish`.
"""
