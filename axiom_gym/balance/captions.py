"""The texts of a report's page: an introduction, and a title and an explanation of each figure."""

from __future__ import annotations

from axiom_gym.balance.advantage import FEWEST_CHOICES
from axiom_gym.balance.courses import COURSE_GAMES
from axiom_gym.balance.samples import PER_GAME, SAMPLED_GAMES

INTRODUCTION = (
    "A table is a series of games with the same players, who change seats from game to game. "
    "A table with one name has this agent in all seats. Intervals cover 95 %; those of means and "
    "shares treat games as independent. The JSON file beside this page has all numbers."
)

CAPTIONS: dict[str, tuple[str, str]] = {
    "sweep": (
        "",
        "Each row of panels is a measure, each column a combination of the other swept options. "
        "Vertical lines are 95 % intervals.",
    ),
    "sweep_actions": ("Actions by setting", "The share of decisions for each action."),
    "sweep_survival": (
        "Length by setting",
        "The share of games in progress after a number of turns; of many settings, some are drawn.",
    ),
    "sweep_medians": (
        "Quantities by setting",
        "The median over the games that have reached the turn; of many settings, some are drawn.",
    ),
    "survival": ("Length", "The share of games in progress after a number of turns."),
    "outcomes": (
        "Outcomes",
        "The distribution of outcomes of each agent. The vertical line is the mean; ± is half the "
        "width of its 95 % interval.",
    ),
    "seats": (
        "Seats",
        "The share of wins of each seat with its 95 % interval; players with equal best outcomes "
        "share the win. The dotted line is an equal share.",
    ),
    "actions": (
        "Actions",
        "A decision is a sub-action with at least two legal choices; others are forced. Grey: the "
        "share of decisions in which the action is legal. Colour: the share in which it is chosen.",
    ),
    "advantages": (
        "Fitted advantages of actions",
        "A linear regression for each agent and phase. The dependent variable is the sum of the "
        "agent's rewards from a decision to the end of the game. Explanatory variables are the "
        "chosen action, and as controls the turn, the seat, the entries of the observation (if at "
        "most 128), and which actions were legal. The advantage is the coefficient of an action "
        "minus that of the agent's average choice: the change of the return if the agent takes "
        "this action once and plays on as before. Bars are 95 % intervals (clustered by game); "
        "hollow points have intervals that include 0. The data are up to "
        f"{PER_GAME} random decisions of each of the first {SAMPLED_GAMES:,} games (fewer if there "
        "are hundreds of actions), split into thirds by turn. Actions with fewer than "
        f"{FEWEST_CHOICES} decisions, and those that the "
        "controls predict completely, have no point. Under Findings, an action is best in a phase "
        "if it is better than the average choice and than every other action, and not best if "
        "some other action is better; both with intervals widened for the number of pairs "
        "(Bonferroni). The fit is linear, and an agent that chooses by what the controls do not "
        "show biases it: the random agent's fits are the most reliable ones.",
    ),
    "more_advantages": ("", ""),
    "events": ("Events", "The mean number of each event per game, with 95 % intervals."),
    "numbers": (
        "Quantities over time",
        "Median (line), middle half (dark band) and 5 % to 95 % (light band) over the games that "
        f"have reached the turn, of at most the first {COURSE_GAMES:,} games.",
    ),
    "shares": (
        "Choices and properties over time",
        "The share of the games that have reached the turn, of at most the first "
        f"{COURSE_GAMES:,} games.",
    ),
}
