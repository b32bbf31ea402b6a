"""The schema of saves, which is checked before anything is loaded.

`Value` is the result of `encoding.encode`; a `Number` identifies an object of the world.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from axiom_envs.dnd.data.fields import Entry, Points, ZeroToThree
from axiom_envs.dnd.engine.values.types import Ability, CostType, Size, Skill

Number = Annotated[int, Field(ge=1, lt=2**52)]
Square = tuple[int, int]
Plans = list[list[Points]]
Value = Any


class SavedHealth(Entry):
    """Hit points; see `Health`."""

    current: Points
    temporary: Points
    hit_dice: tuple[int, int]
    successes: ZeroToThree
    failures: ZeroToThree
    stable: bool
    dead: bool


class SavedEconomy(Entry):
    """The state of a turn; see `ActionEconomy`."""

    used: dict[CostType, Points]
    moved: Points
    extra: Points
    toward: Points
    path: list[Square]
    plans: Plans
    marks: list[str]


class SavedProfile(Entry):
    """An attack profile: the weapon's number, and the other arguments of `AttackProfile`."""

    weapon: Number
    facts: dict[str, Value]


class SavedEquipment(Entry):
    """The things worn and held; see `Equipment`."""

    armour: Value
    natural: int | None
    unarmoured: Ability | None
    main: Number | None
    off: Number | None
    shield: bool
    hands: int
    dropped: list[Number]
    profiles: list[SavedProfile]
    plans: Plans
    replaces: bool


class SavedEntity(Entry):
    """An entity; `parts` is the number of its objects, which have consecutive numbers."""

    number: Number
    parts: Points
    name: str
    kind: str
    size: Size
    level: int
    is_player: bool
    side: str | None
    spec: str
    body: int
    position: Square | None
    values: dict[str, int]
    made: dict[str, Number]
    skills: dict[Skill, int]
    saves: dict[Ability, int]
    health: SavedHealth
    economy: SavedEconomy
    equipment: SavedEquipment
    traits: list[tuple[str, Value]]
    trait_parts: list[Number]
    uses: dict[str, int]
    immunities: dict[str, list[str]]
    conditions: list[tuple[str, list[Number]]]


class SavedWeapon(Entry):
    """A weapon, and its values with their numbers and bases."""

    number: Number
    name: str
    properties: list[str]
    owner: Number | None
    values: dict[str, tuple[Number, int]]


class SavedModifier(Entry):
    """A static modifier that was not added by a condition or a trait."""

    number: Number
    value: Number
    channel: Literal["self_static", "to_target_static"]
    modifier: Value


class SavedCondition(Entry):
    """A condition; its static modifiers are encoded, its contextual modifiers are None."""

    number: Number
    kind: str
    target: Number
    source: Number | None
    parameters: dict[str, Value]
    duration: Value
    application_save: Value
    removal_save: Value
    is_own: bool
    holders: list[Number]
    sub_conditions: list[Number]
    modifiers: list[tuple[Number, Value]]
    handlers: list[Number]


class SavedWorld(Entry):
    """A world."""

    format: int
    data: str
    seed: int
    rng: Annotated[int, Field(ge=0, lt=2**32)]
    count: Points
    log: str
    log_size: int
    options: dict[str, bool | str]
    grid: dict[str, Any] | None
    entities: list[SavedEntity]
    weapons: list[SavedWeapon]
    modifiers: list[SavedModifier]
    conditions: list[SavedCondition]


class SavedScore(Entry):
    """The result of reading values; see `Score`."""

    total: int
    terms: list[tuple[str, int]]
    parts: list[Value]
    advantages: int
    disadvantages: int
    auto_hit: bool
    auto_miss: bool
    autocrit: bool
    nocrit: bool
    minimum: int | None
    maximum: int | None


class SavedEvent(Entry):
    """The fields that all events share."""

    number: Points
    lineage: Number
    root: Number
    source: Number | None
    target: Number | None
    phase: str
    canceled: bool
    modified: bool
    message: str


class SavedRoll(SavedEvent):
    """The roll of a d20; see `D20Roll`."""

    purpose: str
    advantage: int
    dice: tuple[int, int]
    natural: int


class SavedAttackEvent(SavedEvent):
    """An attack whose roll has been made; see `AttackEvent`."""

    profile: Value
    context: Value
    cover: int
    bonus: SavedScore | None
    armour_class: SavedScore | None
    roll: SavedRoll | None
    outcome: str | None
    halved: bool


class SavedAttack(Entry):
    """An attack in progress: the action, its event, and the index of the reaction to decide on."""

    kind: Literal["attack"]
    number: Number
    source: Number
    target: Number
    profile: Value
    costs: list[tuple[CostType, int]]
    with_ability: bool
    event: SavedAttackEvent
    reaction: int


class SavedMove(Entry):
    """A movement in progress; see `MoveFrame`."""

    kind: Literal["move"]
    mover: Number
    path: list[Square]
    waiting: list[Number]
    stepped: bool
    last_free: Square


SavedFrame = Annotated[SavedAttack | SavedMove, Field(discriminator="kind")]


class SavedEncounter(Entry):
    """An encounter."""

    world: SavedWorld
    fighters: list[Number]
    sides: list[str]
    order: list[Number]
    initiative: list[tuple[Number, int]]
    round: Points
    turn: Points
    decisions: Points
    round_limit: int
    asks_reactions: bool
    surprised: list[str]
    winner: str | None
    over: bool
    stack: list[SavedFrame]
