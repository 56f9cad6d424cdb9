// Direct-sum N-body run of a star cluster.  Bodies are replicated, each rank
// integrates its own share; energies are written to a text log at every step
// and a snapshot of the cluster is kept now and then.
#include <mpi.h>
#include <unistd.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Body {
    double x[3], v[3], m;
};

class Cluster {
public:
    std::vector<Body> body;
    std::vector<int> count, displ;
    int rank, size;

    Cluster(int n, int rank_, int size_) : body(n), count(size_), displ(size_), rank(rank_), size(size_)
    {
        for (int i = 0; i < n; i++) {
            double a = 2.399963 * i, r = std::pow((i + 0.5) / n, 1.0 / 3.0), c = 1.0 - 2.0 * ((i * 31) % n + 0.5) / n;
            double s = std::sqrt(1.0 - c * c);
            body[i] = Body{ { r * s * std::cos(a), r * s * std::sin(a), r * c },
                            { -0.3 * std::sin(a), 0.3 * std::cos(a), 0.0 }, 1.0 / n };
        }
        for (int r = 0; r < size; r++) {
            int lo = int(long(n) * r / size), hi = int(long(n) * (r + 1) / size);
            count[r] = (hi - lo) * 7;
            displ[r] = lo * 7;
        }
    }

    double kick_drift(double dt)
    {
        int lo = displ[rank] / 7, hi = lo + count[rank] / 7;
        double energy = 0;
        for (int i = lo; i < hi; i++) {
            double acc[3] = { 0, 0, 0 }, pot = 0;
            for (const Body &o : body) {
                double dx = o.x[0] - body[i].x[0], dy = o.x[1] - body[i].x[1], dz = o.x[2] - body[i].x[2];
                double inv = 1.0 / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-3);
                double f = o.m * inv * inv * inv;
                acc[0] += f * dx;
                acc[1] += f * dy;
                acc[2] += f * dz;
                pot -= o.m * inv;
            }
            for (int d = 0; d < 3; d++)
                body[i].v[d] += dt * acc[d];
            energy += body[i].m * (0.5 * pot + 0.5 * (body[i].v[0] * body[i].v[0] +
                                   body[i].v[1] * body[i].v[1] + body[i].v[2] * body[i].v[2]));
        }
        for (int i = lo; i < hi; i++)
            for (int d = 0; d < 3; d++)
                body[i].x[d] += dt * body[i].v[d];
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DOUBLE, body.data(), count.data(), displ.data(),
                       MPI_DOUBLE, MPI_COMM_WORLD);
        return energy;
    }
};

static void save_snapshot(const Cluster &c, int step)
{
    char name[48];
    std::snprintf(name, sizeof name, "cluster_%04d.snap", step);
    FILE *out = std::fopen(name, "wb");
    if (!out)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (const Body &b : c.body)
        std::fwrite(&b, sizeof(Body), 1, out);
    std::fflush(out);
    fsync(fileno(out));
    std::fclose(out);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int steps = argc > 1 ? std::atoi(argv[1]) : 150;
    int n = argc > 2 ? std::atoi(argv[2]) : 1600;

    Cluster cluster(n, rank, size);
    FILE *log = rank == 0 ? std::fopen("energy.log", "w") : nullptr;
    for (int s = 0; s < steps; s++) {
        double e = cluster.kick_drift(1e-3), total = 0;
        MPI_Reduce(&e, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            std::fprintf(log, "%6d %14.6e %14.6e\n", s, s * 1e-3, total);
            std::fflush(log);
            if (s == steps / 2)
                save_snapshot(cluster, s);
        }
    }
    if (rank == 0)
        std::fclose(log);
    MPI_Finalize();
    return 0;
}
