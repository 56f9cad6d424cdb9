"""What a recorder must survive: small stacks, forbidden clocks, the linker's locks."""

from __future__ import annotations

import shutil

from harness import Bench, equal

NOT_PERMITTED = 77


# --- stacks of the program ----------------------------------------------------------------


def _exit_on_a_small_stack_is_harmless(bench: Bench) -> None:
    for mode in ("exit_on_small_stack", "write_on_small_stack", "exit_after_write_on_small_stack"):
        for settings in (
            {},
            {"DIYA_MODE": "profile"},
            {"DIYA_GATHER": str(bench.directory / "home"), "DIYA_HOME": "else"},
        ):
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
    for mode in ("strict", "strict_by_number"):
        shutil.rmtree(bench.segments, ignore_errors=True)
        done = bench.run("safety", mode, str(bench.file))
        if done.returncode == NOT_PERMITTED:
            continue
        equal(done.returncode, 0, f"exit code of {mode}")
        lost = bench.read()[0].header["dropped7"]
        equal((len(bench.writes()), 20000 <= lost <= 20001), (10, True), f"writes recorded of {mode}, {lost} not")


def a_forbidden_clock_ends_the_recording_not_the_program(bench: Bench) -> None:
    done = bench.run("safety", "without_clock", str(bench.file))
    if done.returncode == NOT_PERMITTED:
        return
    equal(done.returncode, 0, "exit code")
    (read,) = bench.read()
    equal((len(bench.writes()), read.header["dropped7"] >= 80), (10, True), "writes recorded, and calls that were not")


# --- the linker's locks -----------------------------------------------------------------------------


def a_child_forked_beside_dlopen_does_not_hang(bench: Bench) -> None:
    for stacks in ("0", "1"):
        done = bench.run("safety", "fork_beside_dlopen", str(bench.file), env=bench.environment(DIYA_STACKS=stacks))
        equal(done.returncode, 0, f"exit code with DIYA_STACKS={stacks}")


def a_signal_inside_the_linker_is_harmless(bench: Bench) -> None:
    for stacks in ("0", "1"):
        done = bench.run("safety", "signals_in_dlclose", str(bench.file), env=bench.environment(DIYA_STACKS=stacks))
        equal(done.returncode, 0, f"exit code with DIYA_STACKS={stacks}")


# --- handlers that jump --------------------------------------------------------------------------------


def a_handler_that_jumps_out_of_the_recorder_stops_nothing(bench: Bench) -> None:
    equal(bench.run("safety", "jump_out_of_writes", str(bench.file)).returncode, 0, "exit code")
    writes = bench.writes()
    equal(
        [call.offset for call in writes[-1000:]], [writes[-1].offset - 8 * i for i in reversed(range(1000))], "offsets"
    )
    lost = bench.read()[0].header["dropped"]["signal"]
    size = bench.file.stat().st_size
    # A jump out of the call itself or out of the recorder loses this call.
    equal(len(writes) + lost + 4000 >= size // 8, True, f"{len(writes)} writes recorded of {size // 8}, {lost} lost")


# --- memory -----------------------------------------------------------------------------------------------


def of_a_limited_address_space_8_MB_are_taken(bench: Bench) -> None:
    bare = bench.environment()
    del bare["LD_PRELOAD"]
    for settings in ({}, {"DIYA_MODE": "profile"}, {"DIYA_STACKS": "1"}):
        left = [
            int(bench.run("safety", "fill_memory", str(bench.file), env=env).stdout)
            for env in (bare, bench.environment(**settings))
        ]
        equal(left[0] - left[1] <= 8 << 10, True, f"{left[0] - left[1]} KiB taken with {settings}")


def keys_of_threads_beyond_those_that_need_no_allocation(bench: Bench) -> None:
    for settings in ({}, {"TAKE_KEYS": "1"}):
        bench.file.unlink(missing_ok=True)
        done = bench.run("safety", "many_keys", str(bench.file), env=bench.environment(**settings))
        equal(done.returncode, 0, "exit code")
    equal(len(bench.writes()), 4000, "writes")
