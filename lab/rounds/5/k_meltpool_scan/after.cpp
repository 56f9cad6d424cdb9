// Laser powder-bed model: the bed is split into strips along the scan
// direction, one per rank.  Strips are thermally insulated between the tracks;
// the strip under the laser is integrated with fine sub-steps, the others
// only cool.  After every hatch the strip temperatures go to the layer file.
#include <mpi.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Strip {
    int nx, ny;
    std::vector<double> temp, next;
    Strip(int nx_, int ny_) : nx(nx_), ny(ny_), temp(nx_ * ny_, 300.0), next(nx_ * ny_, 300.0) {}

    void diffuse(double alpha)
    {
        for (int j = 1; j < ny - 1; j++)
            for (int i = 1; i < nx - 1; i++) {
                int c = j * nx + i;
                next[c] = temp[c] + alpha * (temp[c - 1] + temp[c + 1] + temp[c - nx] +
                                             temp[c + nx] - 4.0 * temp[c]);
            }
        temp.swap(next);
    }

    void deposit(double cx, double cy, double power)
    {
        int r = 6;
        for (int j = -r; j <= r; j++)
            for (int i = -r; i <= r; i++) {
                int x = int(cx) + i, y = int(cy) + j;
                if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
                    continue;
                temp[y * nx + x] += power * std::exp(-(i * i + j * j) / 8.0);
            }
    }
};

class LayerFile {
    MPI_File fh;
    int rank, size;
public:
    LayerFile(const char *name, int rank_, int size_) : rank(rank_), size(size_)
    {
        MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh);
    }
    void store(int hatch, const Strip &s)
    {
        MPI_Offset bytes = MPI_Offset(s.temp.size()) * sizeof(double);
        MPI_Offset at = (MPI_Offset(hatch) * size + rank) * bytes;
        MPI_File_write_at(fh, at, s.temp.data(), int(s.temp.size()), MPI_DOUBLE,
                          MPI_STATUS_IGNORE);
    }
    ~LayerFile() { MPI_File_close(&fh); }
};

static void advance_hatch(Strip &strip, bool lit, int hatch, int substeps)
{
    if (!lit) {
        strip.diffuse(0.2);
        return;
    }
    for (int k = 0; k < substeps; k++) {
        double cx = strip.nx * (k + 0.5) / substeps;
        double cy = strip.ny * (0.1 + 0.8 * ((hatch * 7) % 40) / 40.0);
        strip.deposit(cx, cy, 40.0);
        strip.diffuse(0.2);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int hatches = argc > 1 ? std::atoi(argv[1]) : 60;
    int substeps = argc > 2 ? std::atoi(argv[2]) : 250;

    Strip strip(256, 192);
    double peak = 0;
    {
        LayerFile layer("layer.tmp3d", rank, size);
        for (int h = 0; h < hatches; h++) {
            bool lit = (h % size) == rank;
            advance_hatch(strip, lit, h, substeps);
            layer.store(h, strip);
            for (double t : strip.temp)
                peak = std::fmax(peak, t);
        }
    }
    double global = 0;
    MPI_Reduce(&peak, &global, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("peak temperature %.2f K\n", global);
    MPI_Finalize();
    return 0;
}
