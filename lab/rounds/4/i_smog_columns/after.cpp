// Photochemistry of air columns along a coast. Every rank owns a group of columns;
// the solver takes as many substeps as the sun and the emissions ask for.
#include <mpi.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int COLUMNS = 64;
constexpr int SPECIES = 4;

struct Column {
    double c[SPECIES];
};

static int substeps_needed(int group, int hour)
{
    // morning traffic passes from group to group through the day
    return (hour % 4) == group ? 2600 : 120;
}

static void react(Column &col, double light, double dt)
{
    double no2 = col.c[0], no = col.c[1], o3 = col.c[2], voc = col.c[3];
    double j = light * std::exp(-0.1 * no2);
    double k = 0.4 * no * o3, m = 0.05 * voc * no;
    col.c[0] = no2 + dt * (k + m - j * no2);
    col.c[1] = no + dt * (j * no2 - k - m + 0.01);
    col.c[2] = o3 + dt * (j * no2 - k);
    col.c[3] = voc + dt * (0.02 - m);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, nproc;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    int hours = argc > 1 ? atoi(argv[1]) : 96;

    std::vector<Column> columns(COLUMNS);
    for (int i = 0; i < COLUMNS; i++)
        columns[i] = {{1.0 + 0.01 * i, 0.5, 0.8, 1.2 + 0.02 * rank}};

    std::vector<Column> history;
    MPI_File out;
    MPI_File_open(MPI_COMM_WORLD, "smog.hourly", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &out);
    for (int hour = 0; hour < hours; hour++) {
        int n = substeps_needed(rank, hour);
        double light = 0.6 + 0.4 * std::sin(0.26 * hour);
        for (auto &col : columns)
            for (int s = 0; s < n; s++)
                react(col, light, 1.0 / n);

        history.insert(history.end(), columns.begin(), columns.end());
    }
    // the hours of one rank lie nproc records apart in the file
    MPI_Datatype hourly;
    const int record = COLUMNS * sizeof(Column);
    MPI_Type_vector(hours, record, record * nproc, MPI_BYTE, &hourly);
    MPI_Type_commit(&hourly);
    MPI_File_set_view(out, (MPI_Offset)rank * record, MPI_BYTE, hourly, "native", MPI_INFO_NULL);
    MPI_File_write_all(out, history.data(), (int)(history.size() * sizeof(Column)), MPI_BYTE,
                       MPI_STATUS_IGNORE);
    MPI_Type_free(&hourly);
    MPI_File_close(&out);

    double ozone = 0, total = 0;
    for (const auto &col : columns)
        ozone += col.c[2];
    MPI_Reduce(&ozone, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("mean ozone %.8f\n", total / (COLUMNS * nproc));
    MPI_Finalize();
    return 0;
}
