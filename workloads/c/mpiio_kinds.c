/* One write and one read of each kind that MPI-IO has. Nothing is wrong here:
 * this is for checking that a capture counts every kind.
 *
 * Kinds: explicit offset, own pointer, shared pointer; independent, collective,
 * split collective, non-blocking, non-blocking collective, ordered.
 */
#include "mpiio.h"

enum { PART_WORDS = 4096, PART_BYTES = PART_WORDS * 8 };

static MPI_File file;
static uint64_t *part;
static uint64_t places_used;

/* Words of the next place: each kind writes a place of its own for all ranks. */
static MPI_Offset next_place(void)
{
    uint64_t first = (places_used++ * (uint64_t)run.nprocs + (uint64_t)run.rank) * PART_WORDS;
    fill_words(part, first, PART_WORDS);
    add_result(part, first, PART_WORDS);
    return (MPI_Offset)first * 8;
}

static void write_at_offsets(void)
{
    MPI_Status status;
    MPI_Request request;
    MPI_Offset at = next_place();
    count_mpi_write(MPI_File_write_at(file, at, part, PART_BYTES, MPI_BYTE, &status), &status, INDEPENDENT);
    at = next_place();
    count_mpi_write(MPI_File_write_at_all(file, at, part, PART_BYTES, MPI_BYTE, &status), &status,
                    COLLECTIVE);
    at = next_place();
    require_mpi(MPI_File_write_at_all_begin(file, at, part, PART_BYTES, MPI_BYTE), "begin");
    count_mpi_write(MPI_File_write_at_all_end(file, part, &status), &status, COLLECTIVE);
    at = next_place();
    require_mpi(MPI_File_iwrite_at(file, at, part, PART_BYTES, MPI_BYTE, &request), "iwrite_at");
    count_mpi_waited_write(MPI_Wait(&request, &status), &status);
    at = next_place();
    require_mpi(MPI_File_iwrite_at_all(file, at, part, PART_BYTES, MPI_BYTE, &request), "iwrite_at_all");
    count_mpi_waited_write(MPI_Wait(&request, &status), &status);
    count(MPIIO, collective_writes, 1);
}

static void write_at_own_pointer(void)
{
    MPI_Status status;
    MPI_Request request;
    require_mpi(MPI_File_seek(file, next_place(), MPI_SEEK_SET), "MPI_File_seek");
    count(MPIIO, seeks, 1);
    count_mpi_write(MPI_File_write(file, part, PART_BYTES, MPI_BYTE, &status), &status, INDEPENDENT);
    require_mpi(MPI_File_seek(file, next_place(), MPI_SEEK_SET), "MPI_File_seek");
    count(MPIIO, seeks, 1);
    count_mpi_write(MPI_File_write_all(file, part, PART_BYTES, MPI_BYTE, &status), &status, COLLECTIVE);
    require_mpi(MPI_File_seek(file, next_place(), MPI_SEEK_SET), "MPI_File_seek");
    count(MPIIO, seeks, 1);
    require_mpi(MPI_File_iwrite(file, part, PART_BYTES, MPI_BYTE, &request), "iwrite");
    count_mpi_waited_write(MPI_Wait(&request, &status), &status);
}

/* Ordered writes go rank after rank from where the shared pointer is. */
static void write_ordered(void)
{
    MPI_Status status;
    MPI_Offset first = next_place() - (MPI_Offset)run.rank * PART_BYTES;
    require_mpi(MPI_File_seek_shared(file, first, MPI_SEEK_SET), "MPI_File_seek_shared");
    count(MPIIO, seeks, 1);
    count_mpi_write(MPI_File_write_ordered(file, part, PART_BYTES, MPI_BYTE, &status), &status, COLLECTIVE);
}

/* Read back what this rank wrote; the checksum is that of the writes already. */
static void read_back(void)
{
    MPI_Status status;
    MPI_Offset at = (MPI_Offset)run.rank * PART_BYTES;
    count_mpi_read(MPI_File_read_at(file, at, part, PART_BYTES, MPI_BYTE, &status), &status, INDEPENDENT);
    count_mpi_read(MPI_File_read_at_all(file, at, part, PART_BYTES, MPI_BYTE, &status), &status, COLLECTIVE);
    require_mpi(MPI_File_seek(file, at, MPI_SEEK_SET), "MPI_File_seek");
    count(MPIIO, seeks, 1);
    count_mpi_read(MPI_File_read(file, part, PART_BYTES, MPI_BYTE, &status), &status, INDEPENDENT);
    count_mpi_read(MPI_File_read_all(file, part, PART_BYTES, MPI_BYTE, &status), &status, COLLECTIVE);
    require_mpi(MPI_File_seek_shared(file, 0, MPI_SEEK_SET), "MPI_File_seek_shared");
    count(MPIIO, seeks, 1);
    count_mpi_read(MPI_File_read_ordered(file, part, PART_BYTES, MPI_BYTE, &status), &status, COLLECTIVE);
}

int main(int argc, char **argv)
{
    start(argc, argv, "before");
    part = new_words(PART_WORDS);
    begin_io();
    count_mpi_open(MPI_File_open(MPI_COMM_WORLD, in_dir("kinds.dat").text, MPI_MODE_CREATE | MPI_MODE_RDWR,
                                 MPI_INFO_NULL, &file));
    write_at_offsets();
    write_at_own_pointer();
    write_ordered();
    require_mpi(MPI_File_sync(file), "MPI_File_sync");
    count(MPIIO, syncs, 1);
    wait_for_all();
    read_back();
    count_mpi_close(MPI_File_close(&file));
    end_io();
    free(part);
    add_result_file("kinds.dat", 0, places_used * (uint64_t)run.nprocs * PART_BYTES);
    expect("none", "every kind of MPI-IO call, a few times");
    finish("mpiio_kinds");
}
