"""A combat engine: entities, their conditions, and a world where everything is an event.

    from axiom_envs.dnd import engine as dnd

    with dnd.World(seed=7):
        goblin, fighter = dnd.create("goblin"), dnd.create("fighter", level=3)
        print(dnd.Attack(fighter, goblin, "main_hand").apply().explain())

`conditions` holds all conditions, `effects` the conditions that actions cause, and `saves` reads
and writes worlds and encounters. The README.md in this folder is the guide.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from axiom_envs.dnd.engine import conditions
from axiom_envs.dnd.engine.rules import effects
from axiom_envs.lazy import lazy_names

if TYPE_CHECKING:
    from axiom_envs.dnd.data.load import Library
    from axiom_envs.dnd.engine import saves
    from axiom_envs.dnd.engine.creature.abilities import AbilityScores, SavingThrows, SkillSet
    from axiom_envs.dnd.engine.creature.blocks import BaseBlock
    from axiom_envs.dnd.engine.creature.checks import (
        AbilityCheck,
        D20Test,
        SavingThrow,
        contest,
        passive_perception,
        roll_check,
        roll_save,
    )
    from axiom_envs.dnd.engine.creature.conditions import (
        BaseCondition,
        ConditionApplication,
        ConditionRemoval,
        SaveAgainst,
    )
    from axiom_envs.dnd.engine.creature.durations import (
        Duration,
        DurationType,
        Moment,
        permanent,
        rounds,
        until,
        until_long_rest,
    )
    from axiom_envs.dnd.engine.creature.economy import ActionEconomy
    from axiom_envs.dnd.engine.creature.entity import Entity
    from axiom_envs.dnd.engine.creature.equipment import Armour, AttackProfile, Equipment, Weapon
    from axiom_envs.dnd.engine.creature.health import Health
    from axiom_envs.dnd.engine.creature.senses import Senses
    from axiom_envs.dnd.engine.encounter.choices import Choice, Legal
    from axiom_envs.dnd.engine.encounter.creation import create, create_from
    from axiom_envs.dnd.engine.encounter.encounter import Encounter
    from axiom_envs.dnd.engine.encounter.scenarios import build_encounter
    from axiom_envs.dnd.engine.rules.actions import (
        Action,
        ActionEvent,
        Consequence,
        Cost,
        CostEvent,
        pay,
    )
    from axiom_envs.dnd.engine.rules.attack import Attack, AttackEvent, Outcome
    from axiom_envs.dnd.engine.rules.basic_actions import (
        Dash,
        Disengage,
        Dodge,
        DropProne,
        Help,
        Stabilise,
        StandUp,
    )
    from axiom_envs.dnd.engine.rules.damage import (
        Damage,
        Fall,
        Healing,
        deal_damage,
        give_temporary_hit_points,
        heal,
    )
    from axiom_envs.dnd.engine.rules.death import Death, die
    from axiom_envs.dnd.engine.rules.grappling import (
        Escape,
        Grapple,
        Release,
        ShoveBack,
        ShoveProne,
    )
    from axiom_envs.dnd.engine.rules.hiding import Hide, Search
    from axiom_envs.dnd.engine.rules.movement import ForcedMovement, Step, make_step, push
    from axiom_envs.dnd.engine.rules.perception import sees
    from axiom_envs.dnd.engine.rules.reactions import Reaction, can_react
    from axiom_envs.dnd.engine.rules.space import distance
    from axiom_envs.dnd.engine.rules.turns import TurnEnd, TurnStart, end_turn, start_turn
    from axiom_envs.dnd.engine.values.dice import (
        D20Roll,
        DamageDice,
        DamageRoll,
        roll_d20,
        roll_damage,
    )
    from axiom_envs.dnd.engine.values.modifiers import (
        AdvantageModifier,
        AdvantageStatus,
        AutoHitModifier,
        AutoHitStatus,
        Context,
        ContextualAdvantageModifier,
        ContextualAutoHitModifier,
        ContextualCriticalModifier,
        ContextualDamageTypeModifier,
        ContextualMaximumConstraint,
        ContextualMinimumConstraint,
        ContextualModifier,
        ContextualNumericalModifier,
        ContextualResistanceModifier,
        ContextualSizeModifier,
        CriticalModifier,
        CriticalStatus,
        DamageTypeModifier,
        MaximumConstraint,
        MinimumConstraint,
        Modifier,
        NumericalModifier,
        ResistanceModifier,
        ResistanceStatus,
        SizeModifier,
    )
    from axiom_envs.dnd.engine.values.types import Ability, CostType, DamageType, Size, Skill
    from axiom_envs.dnd.engine.values.values import Channel, ModifiableValue, Score
    from axiom_envs.dnd.engine.world.dispatch import EventHandler, Trigger
    from axiom_envs.dnd.engine.world.event_log import EventLog
    from axiom_envs.dnd.engine.world.events import Event, EventPhase, EventType
    from axiom_envs.dnd.engine.world.objects import BaseObject, active_world
    from axiom_envs.dnd.engine.world.options import Options
    from axiom_envs.dnd.engine.world.world import World
    from axiom_envs.dnd.grid import Grid

__all__ = [
    "Ability",
    "AbilityCheck",
    "AbilityScores",
    "Action",
    "ActionEconomy",
    "ActionEvent",
    "AdvantageModifier",
    "AdvantageStatus",
    "Armour",
    "Attack",
    "AttackEvent",
    "AttackProfile",
    "AutoHitModifier",
    "AutoHitStatus",
    "BaseBlock",
    "BaseCondition",
    "BaseObject",
    "Channel",
    "Choice",
    "ConditionApplication",
    "ConditionRemoval",
    "Consequence",
    "Context",
    "ContextualAdvantageModifier",
    "ContextualAutoHitModifier",
    "ContextualCriticalModifier",
    "ContextualDamageTypeModifier",
    "ContextualMaximumConstraint",
    "ContextualMinimumConstraint",
    "ContextualModifier",
    "ContextualNumericalModifier",
    "ContextualResistanceModifier",
    "ContextualSizeModifier",
    "Cost",
    "CostEvent",
    "CostType",
    "CriticalModifier",
    "CriticalStatus",
    "D20Roll",
    "D20Test",
    "Damage",
    "DamageDice",
    "DamageRoll",
    "DamageType",
    "DamageTypeModifier",
    "Dash",
    "Death",
    "Disengage",
    "Dodge",
    "DropProne",
    "Duration",
    "DurationType",
    "Encounter",
    "Entity",
    "Equipment",
    "Escape",
    "Event",
    "EventHandler",
    "EventLog",
    "EventPhase",
    "EventType",
    "Fall",
    "ForcedMovement",
    "Grapple",
    "Grid",
    "Healing",
    "Health",
    "Help",
    "Hide",
    "Legal",
    "Library",
    "MaximumConstraint",
    "MinimumConstraint",
    "ModifiableValue",
    "Modifier",
    "Moment",
    "NumericalModifier",
    "Options",
    "Outcome",
    "Reaction",
    "Release",
    "ResistanceModifier",
    "ResistanceStatus",
    "SaveAgainst",
    "SavingThrow",
    "SavingThrows",
    "Score",
    "Search",
    "Senses",
    "ShoveBack",
    "ShoveProne",
    "Size",
    "SizeModifier",
    "Skill",
    "SkillSet",
    "Stabilise",
    "StandUp",
    "Step",
    "Trigger",
    "TurnEnd",
    "TurnStart",
    "Weapon",
    "World",
    "active_world",
    "build_encounter",
    "can_react",
    "conditions",
    "contest",
    "create",
    "create_from",
    "deal_damage",
    "die",
    "distance",
    "effects",
    "end_turn",
    "give_temporary_hit_points",
    "heal",
    "make_step",
    "passive_perception",
    "pay",
    "permanent",
    "push",
    "roll_check",
    "roll_d20",
    "roll_damage",
    "roll_save",
    "rounds",
    "saves",
    "sees",
    "start_turn",
    "until",
    "until_long_rest",
]

if not TYPE_CHECKING:
    # Modules are searched in this order; the last ones import Numba (grid) and pydantic (data).
    _find = lazy_names(
        __name__,
        __all__,
        (
            "creature.abilities",
            "rules.actions",
            "rules.attack",
            "creature.blocks",
            "creature.checks",
            "creature.conditions",
            "rules.damage",
            "rules.death",
            "values.dice",
            "world.dispatch",
            "creature.durations",
            "creature.economy",
            "creature.entity",
            "creature.equipment",
            "world.event_log",
            "world.events",
            "creature.health",
            "values.modifiers",
            "rules.movement",
            "world.objects",
            "world.options",
            "rules.perception",
            "rules.reactions",
            "creature.senses",
            "rules.space",
            "rules.turns",
            "values.types",
            "values.values",
            "world.world",
            "rules.basic_actions",
            "rules.grappling",
            "rules.hiding",
            "encounter.choices",
            "encounter.encounter",
            "encounter.creation",
            "encounter.scenarios",
        ),
    )

    def __getattr__(name: str) -> object:
        return importlib.import_module(f"{__name__}.saves") if name == "saves" else _find(name)


def __dir__() -> list[str]:
    return list(__all__)
