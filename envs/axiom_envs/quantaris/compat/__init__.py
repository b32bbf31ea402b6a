"""The API of the original Quantaris engine: its rules on immutable values.

`axiom_envs.quantaris` exports its names in snake_case: `create_initial_state`, `resolve_turn`,
`validate_player_actions`, `hash_state` and the others. Validation codes, messages, logs and hashes
are those of the original. Environments, bots and replays do not use this package.

- `types`: enums, constants, and values for states and actions;
- `events`: the typed log of a turn;
- `rules`: queries, validation, and resolution by the kernel;
- `hashing`: canonical texts and their hashes;
- `bridge`: conversion of values to the kernel's record, orders and log, and back.
"""
