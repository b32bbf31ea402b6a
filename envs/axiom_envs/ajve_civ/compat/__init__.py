"""The API of the original AjveCiv: series of games between AIs and persons, with reports.

`axiom_envs.ajve_civ` exports its names: `Series`, `AI`, `Ruleset`, `World`, `Society`,
`load_report`, and the modules `ai`, `worlds` and `common`. Environments, bots and replays do not
use this package.

- `worlds`: the kernel's record as objects, and rulesets to extend;
- `ai`: AIs to extend, the built-in AIs by name, and a person at the terminal (`terminal`);
- `common`: functions that choose values for an offer;
- `series`: series of games between AIs, with `series_loop`, `series_results`, `series_progress`;
- `playing`: compiled games between built-in AIs;
- `reports`: results as JSON and as tables;
- `metrics`, `plots`: numbers and pictures of recorded games.

`axiom_envs.ajve_civ.commands` builds the command `axiom-gym civ` on top of it.
"""
