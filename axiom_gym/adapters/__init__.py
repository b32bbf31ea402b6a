"""The same games in the forms that the field uses. Gymnasium, PettingZoo and stable-baselines3 are imported here only."""
