// Surface drifters released near a river mouth; each rank advects the drifters
// of its own stretch of coast and keeps their tracks.
#include <mpi.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct Drifter {
    double x, y, u, v, age, temp;
    long id;
    long flags;
};

static int rank_, nproc;

static double release_position(long id, long total)
{
    double s = (id + 0.5) / total;
    return std::pow(s, 9.0);
}

static std::vector<Drifter> release(long total)
{
    std::vector<Drifter> mine;
    for (long id = 0; id < total; id++) {
        double y = release_position(id, total);
        int owner = int(y * nproc);
        if (owner == rank_)
            mine.push_back({0.01 * (id % 97), y, 0, 0, 0, 15.0, id, 1});
    }
    return mine;
}

static void advect(std::vector<Drifter> &drifters, double dt)
{
    for (auto &d : drifters) {
        d.u = 0.3 * d.y - 0.02 * d.x;
        d.v = -0.1 * d.x + 0.05;
        d.x += dt * d.u;
        d.y += dt * d.v * 1e-3;
        d.age += dt;
        d.temp += 1e-3 * dt * (18.0 - d.temp);
    }
}

static void keep_tracks(FILE *out, const std::vector<Drifter> &drifters)
{
    for (const Drifter &d : drifters)
        if (fwrite(&d, sizeof d, 1, out) != 1)
            MPI_Abort(MPI_COMM_WORLD, 2);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    long total = argc > 1 ? atol(argv[1]) : 200000;
    int days = argc > 2 ? atoi(argv[2]) : 20;
    std::vector<Drifter> drifters = release(total);
    std::string name = "tracks." + std::to_string(rank_) + ".bin";
    FILE *out = fopen(name.c_str(), "wb");
    if (!out)
        MPI_Abort(MPI_COMM_WORLD, 1);
    double mean = 0;
    for (int day = 0; day < days; day++) {
        advect(drifters, 0.25);
        keep_tracks(out, drifters);
        double sum = 0;
        for (const auto &d : drifters)
            sum += d.temp;
        MPI_Allreduce(&sum, &mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    fclose(out);
    if (rank_ == 0)
        printf("mean temperature %.6f\n", mean / total);
    MPI_Finalize();
    return 0;
}
