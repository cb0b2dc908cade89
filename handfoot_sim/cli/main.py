"""The command ``handfoot``: its commands, and how errors end."""

from __future__ import annotations

import errno
import importlib
import os
import signal
import socket
import sys
import threading
import time
import traceback
from typing import Final

import click

from handfoot_sim.errors import HandfootError, first_line
from handfoot_sim.watching import left_behind

PATIENCE: Final = 3.0
"""Seconds that a command has to end in good order after Ctrl-C."""

COMMANDS: Final = {
    "agents": "List the agents that can be named.",
    "bench": "Measure speed on this machine, and where the time goes.",
    "check-agent": "Check an agent: legal, repeatable, fair, and how fast.",
    "compare": "Play two agents against each other and report the margin.",
    "experiment": "Play an experiment: a question, its tables, plots and answer.",
    "league": "Tune against the Nash mix of a pool, which what is accepted joins.",
    "new-agent": "Write a new agent's file, ready to run.",
    "replay": "Tell a match of a transcript in readable text.",
    "report": "Write the report of a run folder: page, tables, plots.",
    "reproduce": "Play an experiment again and compare its tables bit for bit.",
    "resume": "Go on with a run folder where it stopped.",
    "rules": "Print rules: each field, its rule number, and what differs from standard.",
    "stats": "Print the statistics of a run as tables.",
    "status": "Say how far a run folder is.",
    "sweep": "Play an agent over values of a parameter or a rule: curve, heatmap.",
    "tournament": "Play many pairings and report standings.",
    "tune": "Search for better parameters of an agent, honestly.",
    "verify": "Check transcripts by the rules.",
}
"""Commands and what their help says; each is ``command`` in the module of its name (with an
underscore for a hyphen), which is loaded when it is called, so that ``handfoot --help`` does not
wait for the compiler."""


class LazyGroup(click.Group):
    """A group whose commands are loaded on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        if cmd_name not in COMMANDS:
            return None
        module = cmd_name.replace("-", "_")
        command = importlib.import_module(f"handfoot_sim.cli.{module}").command
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="handfoot-sim", prog_name="handfoot")
@click.option("--debug", is_flag=True, help="Show a traceback where something fails.")
def cli(debug: bool) -> None:
    """handfoot: a strategy lab for the card game Hand and Foot."""


def fail(sentence: str, code: int, debug: bool) -> int:
    """Print an error's sentence (and its traceback if wanted) and return the exit code."""
    if debug:
        traceback.print_exc()
    click.echo(f"handfoot: {sentence}", err=True)
    return code


def run(arguments: list[str]) -> int:
    """Run the command line; the exit code: 0, 1 for failure, 2 for bad input, 130 interrupted."""
    debug = "--debug" in arguments
    words = [word for word in arguments if word != "--debug"]
    try:
        outcome = cli.main(args=words, prog_name="handfoot", standalone_mode=False)
        return outcome if isinstance(outcome, int) else 0
    except SystemExit as stopped:
        return stopped.code if isinstance(stopped.code, int) else 1
    except HandfootError as error:
        return fail(str(error), error.exit_code, debug)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.UsageError as error:
        hint = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
        return fail(error.format_message().rstrip(".") + hint, 2, debug)
    except click.ClickException as error:
        return fail(error.format_message(), 2, debug)
    except (KeyboardInterrupt, click.Abort):
        click.echo("handfoot: interrupted", err=True)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except MemoryError:
        return fail(
            "the memory is used up; play fewer matches at a time or with fewer jobs", 1, debug
        )
    except Exception as error:
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            what = error.filename or "the output or the cache of compiled code"
            return fail(f"the disk is full: {what} can't be written; free some space", 1, debug)
        what = first_line(error)
        return fail(f"an unexpected error ({what}); --debug shows where", 1, debug)


def end_on_interrupt() -> None:
    """Make Ctrl-C end the process although compiled code runs, which Python's own can't stop.

    Python notes the signal, but raises ``KeyboardInterrupt`` only once the main thread is back
    from compiled code: after minutes with a slow agent, never with an endless one. The signal's
    number also arrives in a socket, which a thread watches; it gives the main thread some time
    to end in good order. A run folder holds whole shards only, so nothing played is lost.
    """
    watched, told = socket.socketpair()
    told.setblocking(False)
    signal.set_wakeup_fd(told.detach(), warn_on_full_buffer=False)

    def watch() -> None:
        while watched.recv(1) != bytes([signal.SIGINT]):
            pass
        time.sleep(PATIENCE)
        click.echo("handfoot: interrupted; a run with --out goes on: handfoot resume DIR", err=True)
        os._exit(130)

    threading.Thread(target=watch, name="watch for Ctrl-C", daemon=True).start()


def main() -> None:
    """Entry point of the command ``handfoot``."""
    end_on_interrupt()
    code = run(sys.argv[1:])
    if left_behind():
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)
