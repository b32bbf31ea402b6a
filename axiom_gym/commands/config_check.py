"""`axiom-gym config check`: the mistakes of a config, and the parts that cannot be compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from axiom_gym.commands.options import Json
from axiom_gym.commands.output import print_json, print_table
from axiom_gym.errors import TraceError

if TYPE_CHECKING:
    from axiom_gym.config.compiled import CompiledConfig
    from axiom_gym.config.compiler.survey import Finding
    from axiom_gym.config.definitions import GameConfig
    from axiom_gym.config.problems import Problem
    from axiom_gym.config.task import Task


Target = Annotated[
    str,
    typer.Argument(
        metavar="FILE.py:NAME", help="A GameConfig in a Python file, or in a module (MODULE:NAME)."
    ),
]


def check(
    target: Target,
    show_source: Annotated[
        bool, typer.Option("--source", help="Print the source of the compiled kernel.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Count a warning as a mistake, for the exit status.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Validate and compile a config.

    The command lists mistakes, or else warnings and the callables that cannot be compiled. Warnings
    are about what is probably not meant; for some of them, random players play the game.

    Exit status: 0 if the config compiles, 1 if a part of it does not, 2 if it has mistakes.
    """
    from axiom_gym.config import validation
    from axiom_gym.config.compiler.survey import survey
    from axiom_gym.config.loading import load_config
    from axiom_gym.config.task import Task
    from axiom_gym.config.warning_checks import find_warnings

    config, task = load_config(target)
    validation.check(config, task)
    warnings = [] if show_source and not strict else find_warnings(config, task)
    chosen = task or Task(reward=lambda before, after: 0.0)
    findings = [f for f in survey(config, chosen) if task or not f.place.startswith("task.")]
    failed = [finding for finding in findings if finding.error]
    compiled, error = (None, "") if failed else _compile(config, chosen)
    if as_json:
        print_json(_facts(warnings, findings, compiled, error))
    elif compiled is not None and show_source:
        typer.echo(compiled.source.text, nl=False)
        _report_warnings(warnings, to_errors=True)
    else:
        _report(config, task, warnings, findings)
        _report_result(compiled, error)
    if failed or error or (strict and warnings):
        raise typer.Exit(2 if strict and warnings else 1)


def _compile(config: GameConfig, task: Task) -> tuple[CompiledConfig | None, str]:
    from axiom_gym.config.compiled import CompiledConfig

    try:
        return CompiledConfig(config, task), ""
    except TraceError as error:
        return None, str(error)


def _facts(
    warnings: list[Problem], findings: list[Finding], compiled: CompiledConfig | None, error: str
) -> dict[str, Any]:
    """Return the report as JSON values."""
    facts: dict[str, Any] = {
        "compiles": compiled is not None,
        "warnings": [{"place": one.path, "warning": one.message} for one in warnings],
        "callables": len(findings),
        "errors": [{"place": f.place, "error": f.error} for f in findings if f.error],
    }
    if error:
        facts["errors"].append({"place": "", "error": error})
    if compiled is not None:
        source = compiled.source
        facts["fields"] = {f.name: f.kind for f in source.fields.values()}
        facts["left_out"] = source.left_out
        facts["actions"] = compiled.action_names
        facts["observation"] = [feature.name for feature in source.features]
        facts["faults"] = source.faults
    return facts


def _report(
    config: GameConfig,
    task: Task | None,
    warnings: list[Problem],
    findings: list[Finding],
) -> None:
    failed = [finding for finding in findings if finding.error]
    typer.echo(
        f"{config.name}: {len(config.attributes)} attributes, {len(config.choices)} choices, "
        f"{len(config.actions)} actions, {len(config.events)} events; no mistakes."
    )
    if task is None:
        typer.echo("The file has no Task for it: checked with a Task whose reward is always 0.")
    _report_warnings(warnings)
    traced = len(findings) - len(failed)
    typer.echo(f"{traced} of {len(findings)} callables can be compiled.\n")
    for finding in failed:
        typer.echo(f"  {finding.place}\n    {finding.error}\n")


def _report_warnings(warnings: list[Problem], to_errors: bool = False) -> None:
    if warnings:
        count = "a warning" if len(warnings) == 1 else f"{len(warnings)} warnings"
        lines = "\n".join(f"  {warning}" for warning in warnings)
        typer.echo(f"\n{count.capitalize()}:\n{lines}\n", err=to_errors)


def _report_result(compiled: CompiledConfig | None, error: str) -> None:
    if error:
        typer.echo(f"Each callable compiles alone, but not all of them together:\n  {error}\n")
    if compiled is None:
        typer.echo("The interpreter can play this config: axiom-gym config play.")
        return
    _report_compiled(compiled)


def _report_compiled(compiled: CompiledConfig) -> None:
    source = compiled.source
    rows = [[field.key.strip("<>"), field.kind] for field in source.fields.values()]
    print_table(["field", "kind"], rows)
    typer.echo(f"\n{len(compiled.action_names)} actions: {', '.join(compiled.action_names)}")
    typer.echo(f"{len(source.features)} numbers in the observation.")
    if source.left_out:
        typer.echo(f"Left out because nothing depends on it: {', '.join(source.left_out)}.")
    if source.faults:
        typer.echo("\nPossible faults; each ends the episode:")
        for fault in source.faults:
            typer.echo(f"  {fault}")
    typer.echo("\n--source prints the kernel.")
