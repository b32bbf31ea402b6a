"""The API of the original AjveCiv: series of games between AIs and people, with its reports.

Its names are exported by `axiom_envs.ajve_civ`: `Series`, `AI`, `Ruleset`, `World`, `Society`,
`load_report`, and the modules `ai`, `worlds` and `common`. Environments, bots and replays use none
of it.

- `worlds`: the kernel's record as objects, and rulesets to extend;
- `ai`: AIs to extend, the built-in ones by name, and a person at the terminal (`terminal`);
- `common`: what offers are made of;
- `series`: many games between AIs, with `series_loop`, `series_results` and `series_progress`;
- `playing`: games between built-in AIs, compiled;
- `reports`: results as JSON and as tables;
- `metrics`, `plots`: numbers and pictures of recorded games.

The command `axiom-gym civ` stands above it, in `axiom_envs.ajve_civ.commands`.
"""
