// Drifting tracers in a cellular flow; every rank records the centroid of its swarm at each step.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <vector>

struct Tracer {
    double x, y;
};

struct Centroid {
    double time, x, y, spread;
};

class Swarm {
public:
    Swarm(int count, int seed) : tracers(count)
    {
        srand48(seed);
        for (auto &t : tracers) {
            t.x = drand48() * 2 * M_PI;
            t.y = drand48() * 2 * M_PI;
        }
    }

    void drift(double dt)
    {
        for (auto &t : tracers) {
            double u = std::sin(t.x) * std::cos(t.y);
            double v = -std::cos(t.x) * std::sin(t.y);
            t.x += dt * u;
            t.y += dt * v;
        }
    }

    Centroid centroid(double time) const
    {
        Centroid c{time, 0, 0, 0};
        for (const auto &t : tracers) {
            c.x += t.x;
            c.y += t.y;
        }
        c.x /= tracers.size();
        c.y /= tracers.size();
        for (const auto &t : tracers)
            c.spread += (t.x - c.x) * (t.x - c.x) + (t.y - c.y) * (t.y - c.y);
        c.spread = std::sqrt(c.spread / tracers.size());
        return c;
    }

private:
    std::vector<Tracer> tracers;
};

class History {
public:
    History(const char *path, MPI_Comm comm)
    {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    }

    void record(const Centroid &c)
    {
        MPI_Offset at = (MPI_Offset)(step * size + rank) * sizeof(Centroid);
        MPI_File_write_at_all(file, at, &c, 4, MPI_DOUBLE, MPI_STATUS_IGNORE);
        step++;
    }

    ~History() { MPI_File_close(&file); }

private:
    MPI_File file;
    int rank, size;
    long step = 0;
};

int main(int argc, char **argv)
{
    int nsteps = argc > 1 ? std::atoi(argv[1]) : 4000, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    {
        Swarm swarm(200, 100 + rank);
        History history("history.bin", MPI_COMM_WORLD);
        const double dt = 0.01;
        Centroid last{};
        for (int s = 0; s < nsteps; s++) {
            swarm.drift(dt);
            last = swarm.centroid(s * dt);
            history.record(last);
        }
        double spread;
        MPI_Reduce(&last.spread, &spread, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (rank == 0)
            std::printf("steps %d  largest spread %.8f\n", nsteps, spread);
    }
    MPI_Finalize();
    return 0;
}
