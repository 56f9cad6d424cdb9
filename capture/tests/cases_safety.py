"""What a recorder must survive: small stacks, forbidden clocks, the linker's locks."""

from __future__ import annotations

from harness import Bench, equal

NOT_PERMITTED = 77


# --- stacks of the program ----------------------------------------------------------------


def _exit_on_a_small_stack_is_harmless(bench: Bench) -> None:
    for mode in ("exit_on_small_stack", "write_on_small_stack", "exit_after_write_on_small_stack"):
        for settings in ({}, {"DIYA_MODE": "profile"}, {"DIYA_GATHER": str(bench.directory / "home"), "DIYA_HOME": "else"}):
            done = bench.run("safety", mode, str(bench.file), env=bench.environment(**settings))
            equal(done.returncode, 7, f"exit code of {mode} with {settings}")


def a_process_that_ends_on_a_small_stack_is_packed(bench: Bench) -> None:
    home = bench.directory / "home"
    env = bench.environment(DIYA_GATHER=str(home), DIYA_HOME="another node")
    equal(bench.run("safety", "write_on_small_stack", str(bench.file), env=env).returncode, 7, "exit code")
    equal([pack.suffix for pack in home.iterdir()], [".tar"], "packs")
    equal(list(bench.segments.glob("*.seg")), [], "segments that stayed")


# --- the clock ------------------------------------------------------------------------------------


def the_strict_mode_ends_the_recording_not_the_program(bench: Bench) -> None:
    done = bench.run("safety", "strict", str(bench.file))
    if done.returncode == NOT_PERMITTED:
        return
    equal(done.returncode, 0, "exit code")
    equal((len(bench.writes()), bench.read()[0].header["dropped6"]), (10, 20000), "writes recorded and not")


def a_forbidden_clock_ends_the_recording_not_the_program(bench: Bench) -> None:
    done = bench.run("safety", "without_clock", str(bench.file))
    if done.returncode == NOT_PERMITTED:
        return
    equal(done.returncode, 0, "exit code")
    (read,) = bench.read()
    equal((len(bench.writes()), read.header["dropped6"] >= 80), (10, True), "writes recorded, and calls that were not")


# --- the linker's locks -----------------------------------------------------------------------------


def a_child_forked_beside_dlopen_does_not_hang(bench: Bench) -> None:
    for stacks in ("0", "1"):
        done = bench.run("safety", "fork_beside_dlopen", str(bench.file), env=bench.environment(DIYA_STACKS=stacks))
        equal(done.returncode, 0, f"exit code with DIYA_STACKS={stacks}")


def a_signal_inside_the_linker_is_harmless(bench: Bench) -> None:
    for stacks in ("0", "1"):
        done = bench.run("safety", "signals_in_dlclose", str(bench.file), env=bench.environment(DIYA_STACKS=stacks))
        equal(done.returncode, 0, f"exit code with DIYA_STACKS={stacks}")
