"""Regions, steps, epochs and notes of diya.h: in C and C++, linked in every way."""

from __future__ import annotations

import shutil
import subprocess

from harness import HERE, Bench, equal
from segment import Segment

INCLUDE = HERE.parent / "include"


def build(bench: Bench, *options: str, compiler: str = "cc") -> str:
    program = bench.directory / "regions"
    subprocess.run(
        [compiler, "-Wall", "-Werror", "-D_GNU_SOURCE", *options, "-o", program, HERE / "regions.c", "-lpthread"],
        check=True,
    )
    return str(program)


def said(bench: Bench, what: str, *options: str) -> list[Segment]:
    program = build(bench, *options)
    run = subprocess.run([program, what, bench.file], env=bench.environment(), timeout=60)
    equal(run.returncode, -9 if what == "open" else 0, "exit code")
    return sorted(bench.read(), key=lambda s: s.header["first_ticks"])


def names(segment: Segment) -> list[tuple[str, str, int]]:
    return [(r["kind"], r["name"], r["number"]) for r in segment.regions]


def regions_lie_inside_each_other(bench: Bench) -> None:
    (segment,) = said(bench, "nested")
    equal(names(segment), [("region", "outer", -1), ("region", "inner", -1), ("note", "done", -1)], "regions")
    outer, inner, note = segment.regions
    write = next(call for call in segment.calls if call.function == "write")
    times = [outer["start"], inner["start"], write.start, inner["end"], outer["end"], note["start"]]
    equal(times == sorted(times) and note["start"] == note["end"], True, "times")


def a_step_ends_where_the_next_begins(bench: Bench) -> None:
    (segment,) = said(bench, "steps")
    found = [r for r in segment.regions if r["kind"] == "step"]
    equal([r["number"] for r in found], [0, 1, 2, 0, 1, 2], "steps")
    equal([found[0]["end"], found[1]["end"]], [found[1]["start"], found[2]["start"]], "ends of steps")
    epochs = [r for r in segment.regions if r["kind"] == "epoch"]
    equal([(r["number"], r["end"] > r["start"]) for r in epochs], [(0, True), (1, True)], "epochs")
    equal(found[2]["end"] <= found[3]["start"], True, "the last step of an epoch ends in it")


def regions_outlive_their_window(bench: Bench) -> None:
    (segment,) = said(bench, "many")
    whole = [r for r in segment.regions if r["name"] == "all"]
    equal([r["end"] > 0 for r in whole], [False, True], "the region that spans windows, begun and ended")
    equal(whole[0]["start"], whole[1]["start"], "its start")
    parts = [r["name"] for r in segment.regions if r["name"] != "all"]
    equal(parts == [f"part {i % 100}" for i in range(20000)], True, "names from one place")
    equal(len(segment.region_names), 101, "each name is there once")


def regions_beyond_the_cap_are_counted(bench: Bench) -> None:
    program = build(bench)
    subprocess.run([program, "many", bench.file], env=bench.environment(DIYA_MAX_TRACE="131072"), check=True)
    (segment,) = bench.read()
    begun = {(r["start"], r["name"]) for r in segment.regions}
    # Each begin without a record, and each end without one that could not be filled in.
    lost = segment.header["regions_dropped"]
    equal(
        0 < len(begun) < 20001 and 20001 - len(begun) <= lost <= 2 * (20002 - len(begun)), True, f"{len(begun)}, {lost}"
    )


def a_kill_leaves_what_is_open(bench: Bench) -> None:
    (segment,) = said(bench, "open")
    equal(
        [(*n, r["end"]) for n, r in zip(names(segment), segment.regions)],
        [("step", "", 7, 0), ("region", "killed", -1, 0)],
        "regions",
    )


def a_thread_that_ends_ends_its_regions(bench: Bench) -> None:
    (segment,) = said(bench, "threads")
    equal([(r["name"], r["end"] > r["start"]) for r in segment.regions], [("thread", True)], "regions")


def deep_regions_are_left_out_and_counted_off(bench: Bench) -> None:
    (segment,) = said(bench, "deep")
    equal([r["name"] for r in segment.regions], ["deep"] * 64 + ["after"], "regions")


def a_forked_child_has_regions_of_its_own(bench: Bench) -> None:
    parent, child = said(bench, "fork")
    equal([names(parent), names(child)], [[("region", "parent", -1)], [("region", "child", -1)]], "regions")


def every_way_to_link_is_found(bench: Bench) -> None:
    ways = [
        ["-O2", "-flto"],
        ["-no-pie", "-fno-pic"],
        ["-O2", "-Wl,--gc-sections", "-ffunction-sections", "-fdata-sections"],
        ["-Wl,-z,now", "-Wl,-z,relro"],
        ["-Wl,-z,nodynamic-undefined-weak"],
    ]
    if shutil.which("ld.lld"):
        ways.append(["-fuse-ld=lld", "-O2"])
    for way in ways:
        shutil.rmtree(bench.segments, ignore_errors=True)
        (segment,) = said(bench, "nested", *way)
        equal(len(segment.regions), 3, f"regions with {' '.join(way)}")
    if shutil.which("clang"):
        shutil.rmtree(bench.segments, ignore_errors=True)
        program = build(bench, "-O2", compiler="clang")
        subprocess.run([program, "nested", bench.file], env=bench.environment(), check=True)
        equal(len(bench.read()[0].regions), 3, "regions of clang")


def a_library_that_is_loaded_later_is_found(bench: Bench) -> None:
    library, program = bench.directory / "late.so", bench.directory / "late"
    (bench.directory / "late.cpp").write_text(
        '#include <diya.h>\nextern "C" void late() { diya::region one{"late"}; diya_note("inside"); }\n'
    )
    (bench.directory / "main.c").write_text(
        "#include <dlfcn.h>\nint main(int n, char **w) { void *l = dlopen(w[1], RTLD_NOW);\n"
        'void (*f)(void) = (void (*)(void))dlsym(l, "late"); f(); return n - 2; }\n'
    )
    cpp = ["c++", "-std=c++11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-Wl,-z,defs", f"-I{INCLUDE}"]
    subprocess.run([*cpp, "-o", library, bench.directory / "late.cpp"], check=True)
    subprocess.run(["cc", "-o", program, bench.directory / "main.c", "-ldl"], check=True)
    subprocess.run([program, library], env=bench.environment(), check=True, timeout=60)
    equal([r["name"] for r in bench.read()[0].regions], ["late", "inside"], "regions of the library")
    alone = subprocess.run([program, library], timeout=60)
    equal(alone.returncode, 0, "exit code without the recorder")


def a_profile_has_no_regions(bench: Bench) -> None:
    program = build(bench)
    subprocess.run([program, "nested", bench.file], env=bench.environment(DIYA_MODE="profile"), check=True)
    equal(bench.read()[0].regions, [], "regions")


def a_program_may_leave_them_out(bench: Bench) -> None:
    (segment,) = said(bench, "nested", "-DDIYA_OFF")
    equal(segment.regions, [], "regions")


def a_fortran_program_has_regions(bench: Bench) -> None:
    program = bench.directory / "regions_f"
    sources = [INCLUDE / "diya.f90", HERE / "regions.f90"]
    command = ["gfortran", "-Wall", "-Werror", "-std=f2008", "-J", bench.directory, "-o", program, *sources, "-ldl"]
    subprocess.run(command, check=True)
    subprocess.run([program, bench.file], env=bench.environment(), check=True, timeout=60)
    (segment,) = bench.read()
    equal(segment.header["language"], "fortran", "language")
    found = sorted(names(segment))
    wanted = [
        ("epoch", "", 5),
        ("note", "done", -1),
        ("region", "padded", -1),
        ("region", "padded", -1),
        ("step", "", 1),
        ("step", "", 2),
    ]
    equal(found, wanted, "regions")
    alone = subprocess.run([program, bench.file], timeout=60)
    equal(alone.returncode, 0, "exit code without the recorder")


def regions_of_kokkos_are_regions(bench: Bench) -> None:
    source, program = bench.directory / "kokkos.c", bench.directory / "kokkos"
    # As Kokkos does: it loads the library and looks for the functions that it has.
    source.write_text(
        "#include <dlfcn.h>\n#include <stdlib.h>\nint main(void) {\n"
        'void *l = dlopen(getenv("KOKKOS_TOOLS_LIBS"), RTLD_NOW | RTLD_GLOBAL);\n'
        'void (*push)(const char *) = (void (*)(const char *))dlsym(l, "kokkosp_push_profile_region");\n'
        'void (*pop)(void) = (void (*)(void))dlsym(l, "kokkosp_pop_profile_region");\n'
        'void (*event)(const char *) = (void (*)(const char *))dlsym(l, "kokkosp_profile_event");\n'
        'push("solve"); event("converged"); pop(); return dlsym(l, "kokkosp_begin_parallel_for") != NULL; }\n'
    )
    subprocess.run(["cc", "-o", program, source, "-ldl"], check=True)
    env = bench.environment(KOKKOS_TOOLS_LIBS=bench.library)
    subprocess.run([program], env=env, check=True, timeout=60)
    equal(names(bench.read()[0]), [("region", "solve", -1), ("note", "converged", -1)], "regions")


# What programs call of Caliper (caliper/cali.h, caliper/Annotation.h), in a library that only counts.
CALIPER_HEADER = """
#pragma once
#include <cstdint>
extern "C" {
void cali_begin_region(const char *name);
void cali_end_region(const char *name);
void cali_begin_phase(const char *name);
void cali_end_phase(const char *name);
void cali_begin_string(uint64_t attribute, const char *text);
void cali_begin_int(uint64_t attribute, int number);
void cali_end(uint64_t attribute);
void cali_begin_string_byname(const char *attribute, const char *text);
void cali_end_byname(const char *attribute);
extern int calls;
}
namespace cali {
struct Function { Function(const char *name); ~Function(); };
struct ScopeAnnotation { explicit ScopeAnnotation(const char *name); ~ScopeAnnotation(); };
struct Loop { Loop(const char *name); ~Loop(); void end(); };
}
"""
CALIPER_LIBRARY = """
#include "caliper.h"
int calls;
void cali_begin_region(const char *) { calls++; }
void cali_end_region(const char *) { calls++; }
void cali_begin_phase(const char *) { calls++; }
void cali_end_phase(const char *) { calls++; }
void cali_begin_string(uint64_t, const char *) { calls++; }
void cali_begin_int(uint64_t, int) { calls++; }
void cali_end(uint64_t) { calls++; }
void cali_begin_string_byname(const char *, const char *) { calls++; }
void cali_end_byname(const char *) { calls++; }
namespace cali {
Function::Function(const char *) { calls++; }
Function::~Function() { calls++; }
ScopeAnnotation::ScopeAnnotation(const char *) { calls++; }
ScopeAnnotation::~ScopeAnnotation() { calls++; }
Loop::Loop(const char *) { calls++; }
Loop::~Loop() { end(); calls++; }
void Loop::end() { calls++; }
}
"""
CALIPER_PROGRAM = """
#include "caliper.h"
static void solve() {
    cali::Function function{"solve"};
    cali::Loop loop{"sweep"};
    for (int i = 0; i < 3; i++) { cali_begin_int(9, i); cali_end(9); }
    loop.end();
    cali_end_region("never begun");
}
int main() {
    cali_begin_phase("run");
    cali_begin_region("first");
    cali_begin_region("second");
    cali_end_region("first");
    cali_end_region("second");
    solve();
    { cali::ScopeAnnotation scope{"scope"}; }
    cali_begin_string(4, "loop of C"); cali_end(4);
    cali_begin_string_byname("kernel", "stencil"); cali_end_byname("kernel");
    cali_end_phase("run");
    return calls - 25;
}
"""


def regions_of_caliper_are_regions(bench: Bench) -> None:
    """Those that overlap end by their names; the library itself gets every call."""
    for name, text in [("caliper.h", CALIPER_HEADER), ("caliper.cpp", CALIPER_LIBRARY), ("main.cpp", CALIPER_PROGRAM)]:
        (bench.directory / name).write_text(text)
    library, program = bench.directory / "libcaliper.so", bench.directory / "caliper"
    cpp = ["c++", "-std=c++11", "-Wall", "-Werror", "-O1"]
    subprocess.run([*cpp, "-fPIC", "-shared", "-o", library, bench.directory / "caliper.cpp"], check=True)
    subprocess.run(
        [*cpp, "-o", program, bench.directory / "main.cpp", library, f"-Wl,-rpath,{bench.directory}"], check=True
    )
    for environment in (None, bench.environment()):
        equal(subprocess.run([program], env=environment, timeout=60).returncode, 0, "calls that the library got")
    (segment,) = bench.read()
    wanted = ["run", "first", "second", "solve", "sweep", "scope", "loop of C", "stencil"]
    equal([r["name"] for r in segment.regions], wanted, "regions")
    run, first, second = segment.regions[:3]
    equal(first["start"] < second["start"] < first["end"] < second["end"] < run["end"], True, "times")
    equal(all(r["end"] > 0 for r in segment.regions), True, "every region has an end")
