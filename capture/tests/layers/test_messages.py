"""Messages of MPI under MPICH and Open MPI, from C and Fortran: who waits, for whom, on which
communicator, and what is counted."""

import unittest

from harness import MPIS, build, run_mpi

# A third of what the programs sleep: more ranks than cores shorten what the others wait.
LATE_S = 0.1


def waits(process):
    """Function, peer, tag, role, sequence of calls that took as long as somebody was late."""
    hz = process.hz
    long = [m for m in process.messages if m.ticks / hz >= LATE_S]
    return [(m.function, m.peer) for m in sorted(long, key=lambda m: m.start)]


def counts(process):
    sums = {}
    for function, _, calls, _, size in process.message_counts:
        was = sums.get(function, (0, 0))
        sums[function] = (was[0] + calls, was[1] + size)
    return sums


# Of each rank: what it waits in as long as somebody else is late.
PATTERNS = {
    0: [
        ("mpi_recv", 1),
        ("mpi_barrier", -1),
        ("mpi_reduce", 0),
        ("mpi_allreduce", -1),
        ("mpi_alltoall", -1),
        ("mpi_allgather", -1),
    ],
    1: [("mpi_ssend", 0), ("mpi_waitall", 0), ("mpi_probe", 0), ("mpi_bcast", 0), ("mpi_wait", -1)],
}


class C(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.recorded = {mpi: run_mpi(mpi, 3, build(f"mpicc.{mpi}", "messages.c")) for mpi in MPIS}

    def each(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                yield self.recorded[mpi]

    def test_who_waits_has_a_row_with_the_rank_it_waits_for(self):
        for run in self.each():
            for rank, expected in PATTERNS.items():
                found = waits(run.rank(rank))
                missing = [one for one in expected if one not in found]
                self.assertEqual(missing, [], f"rank {rank}: {found}")

    def test_calls_and_bytes_are_those_of_the_program(self):
        expected = {
            "mpi_send": (1, 100),
            "mpi_ssend": (1, 1 << 20),
            "mpi_isend": (1, 4),
            "mpi_irecv": (1, 4),
            "mpi_waitall": (1, 0),
            "mpi_probe": (1, 0),
            "mpi_recv": (1, 4),
            "mpi_barrier": (7, 0),
            "mpi_ibarrier": (1, 0),
            "mpi_wait": (1, 0),
            "mpi_bcast": (1, 8000),
            "mpi_reduce": (1, 40),
            "mpi_allreduce": (1, 24),
            "mpi_alltoall": (1, 60),
            "mpi_allgather": (1, 8),
            "mpi_comm_split": (1, 0),
            "mpi_comm_free": (1, 0),
            "mpi_win_create": (1, 1000),
            "mpi_win_fence": (1, 0),
            "mpi_win_free": (1, 0),
        }
        for run in self.each():
            self.assertEqual(counts(run.rank(1)), expected)

    def test_calls_that_belong_together_have_one_communicator_and_one_number(self):
        for run in self.each():
            of = [{m.function: m for m in run.rank(rank).messages} for rank in (0, 1)]
            keys = [{number: key for number, _, _, _, key in run.rank(r).communicators} for r in (0, 1)]
            self.assertEqual(list(keys[0].values()), list(keys[1].values()))
            self.assertEqual(len(set(keys[0].values())), 3)  # world, pair, window
            reduce = of[0]["mpi_reduce"]
            self.assertEqual(keys[0][reduce.communicator], 1)
            self.assertEqual(keys[0][of[0]["mpi_allgather"].communicator], keys[1][2])
            # The wait at the end of the non-blocking barrier says which barrier it is.
            wait = of[1]["mpi_wait"]
            self.assertEqual((wait.role, keys[1][wait.communicator]), (3, 1))
            self.assertGreater(wait.sequence, reduce.sequence)

    def test_rank_2_is_in_no_communicator_of_two(self):
        for run in self.each():
            self.assertEqual(len(run.rank(2).communicators), 2)


class Fortran(unittest.TestCase):
    def test_both_dialects(self):
        for mpi in MPIS:
            for flags in (("-DOLD",), ()):
                with self.subTest(mpi=mpi, flags=flags):
                    run = run_mpi(mpi, 2, build(f"mpifort.{mpi}", "messages_fortran.F90", "-cpp", *flags))
                    found = waits(run.rank(1))
                    # A busy machine makes others long, too.
                    expected = [("mpi_bcast", 0), ("mpi_recv", 0), ("mpi_wait", 0)]
                    self.assertEqual([one for one in found if one in expected], expected)
                    counted = counts(run.rank(1))
                    self.assertEqual(counted["mpi_bcast"], (1, 400))
                    self.assertEqual(counted["mpi_allreduce"], (1, 400))


class Small(unittest.TestCase):
    def test_a_million_small_messages_are_counted_and_take_no_room(self):
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                run = run_mpi(mpi, 2, build(f"mpicc.{mpi}", "messages.c"), "many")
                self.assertEqual(counts(run.rank(0))["mpi_send"], (1000000, 8000000))
                self.assertEqual(counts(run.rank(1))["mpi_recv"], (1000000, 8000000))

    def test_off_is_off_and_all_is_all(self):
        program = build("mpicc.mpich", "messages.c")
        off = run_mpi("mpich", 3, program, DIYA_MESSAGES="off").rank(1)
        self.assertEqual((off.messages, off.message_counts), ([], []))
        every = run_mpi("mpich", 3, program, DIYA_MESSAGES="all").rank(1)
        self.assertEqual(len(every.messages), sum(calls for calls, _ in counts(every).values()))


class Odd(unittest.TestCase):
    def test_threads_cancelled_requests_groups_and_unused_arguments(self):
        for mpi in MPIS:
            for which in ("waits", "all", "off"):
                with self.subTest(mpi=mpi, which=which):
                    program = build(f"mpicc.{mpi}", "messages_odd.c", "-w", "-lpthread")
                    run = run_mpi(mpi, 2, program, DIYA_MESSAGES=which)
                    self.assertIn("done", run.stdout)
                    for rank in (0, 1):
                        self.assertEqual(run.rank(rank).header["messages_dropped"], 0)
                        sent = counts(run.rank(rank)).get("mpi_isend", (0, 0))
                        self.assertEqual(sent, (0, 0) if which == "off" else (101, 404))


if __name__ == "__main__":
    unittest.main()
