"""The API of the original Quantaris engine: its rules on immutable values.

Its names are exported by `axiom_envs.quantaris`: `create_initial_state`, `resolve_turn`,
`validate_player_actions`, `hash_state` and the others, in snake_case, with the original's
validation codes, messages, log and hashes. Environments, bots and replays use none of it.

- `types`: enums, constants, and values for states and actions;
- `events`: the typed log of a turn;
- `rules`: queries, validation and resolution, which is the kernel's own;
- `hashing`: canonical texts and their hashes;
- `bridge`: values to the kernel's record, orders and log, and back.
"""
