// Shallow-water channel with pressure gauges; gauge readings of all ranks share one file.
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct Channel {
    int cells;
    double dx, dt;
    std::vector<double> depth, flow;
    std::vector<double> depth_new, flow_new;

    explicit Channel(int n)
        : cells(n), dx(10.0), dt(0.4), depth(n + 2), flow(n + 2, 0.0), depth_new(n + 2), flow_new(n + 2) {}
};

struct Gauges {
    std::vector<int> cell;
    std::vector<double> reading;
};

void dam_break(Channel &c, int rank, int size)
{
    for (int i = 0; i < c.cells + 2; ++i) {
        int global = rank * c.cells + i;
        c.depth[i] = global < size * c.cells / 2 ? 3.0 : 1.0;
    }
}

Gauges place_gauges(const Channel &c, int n)
{
    Gauges g;
    for (int k = 0; k < n; ++k)
        g.cell.push_back(1 + (2 * k + 1) * c.cells / (2 * n));
    g.reading.resize(n);
    return g;
}

double flux(double h, double q)
{
    return q * q / h + 0.5 * 9.81 * h * h;
}

void walls(Channel &c)
{
    c.depth[0] = c.depth[1];
    c.flow[0] = -c.flow[1];
    c.depth[c.cells + 1] = c.depth[c.cells];
    c.flow[c.cells + 1] = -c.flow[c.cells];
}

void lax_friedrichs(Channel &c)
{
    const double r = 0.5 * c.dt / c.dx;
    for (int i = 1; i <= c.cells; ++i) {
        c.depth_new[i] = 0.5 * (c.depth[i - 1] + c.depth[i + 1]) - r * (c.flow[i + 1] - c.flow[i - 1]);
        c.flow_new[i] = 0.5 * (c.flow[i - 1] + c.flow[i + 1]) -
                        r * (flux(c.depth[i + 1], c.flow[i + 1]) - flux(c.depth[i - 1], c.flow[i - 1]));
    }
    c.depth.swap(c.depth_new);
    c.flow.swap(c.flow_new);
}

void read_gauges(Gauges &g, const Channel &c)
{
    for (std::size_t k = 0; k < g.cell.size(); ++k)
        g.reading[k] = c.depth[g.cell[k]];
}

}  // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int nstep = argc > 1 ? std::atoi(argv[1]) : 1000;
    const int ngauge = 4;

    Channel channel(400);
    dam_break(channel, rank, size);
    Gauges gauges = place_gauges(channel, ngauge);
    MPI_File series;
    MPI_File_open(MPI_COMM_WORLD, "gauges.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &series);

    for (int n = 0; n < nstep; ++n) {
        walls(channel);
        lax_friedrichs(channel);
        read_gauges(gauges, channel);
        MPI_Offset at = (MPI_Offset(n) * size + rank) * ngauge * sizeof(double);
        MPI_File_write_at_all(series, at, gauges.reading.data(), ngauge, MPI_DOUBLE, MPI_STATUS_IGNORE);
    }

    MPI_File_close(&series);
    double volume = 0.0, total = 0.0;
    for (int i = 1; i <= channel.cells; ++i)
        volume += channel.depth[i] * channel.dx;
    MPI_Reduce(&volume, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("water volume %.6f after %d steps\n", total, nstep);
    MPI_Finalize();
    return 0;
}
