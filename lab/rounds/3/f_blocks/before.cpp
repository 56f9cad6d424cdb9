// Block-structured heat solver with periodic restarts.
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr int kEdge = 12;

struct Block {
    int id;
    std::vector<double> u;
};

class BlockMesh {
public:
    BlockMesh(int rank, int per_rank) : rank_(rank)
    {
        for (int b = 0; b < per_rank; ++b) {
            Block blk{rank * per_rank + b, std::vector<double>(kEdge * kEdge)};
            for (int k = 0; k < kEdge * kEdge; ++k)
                blk.u[k] = std::sin(0.01 * blk.id) + 0.1 * (k % kEdge);
            blocks_.push_back(blk);
        }
    }

    void relax()
    {
        for (auto &b : blocks_) {
            for (int j = 1; j < kEdge - 1; ++j) {
                for (int i = 1; i < kEdge - 1; ++i) {
                    int k = j * kEdge + i;
                    b.u[k] = 0.25 * (b.u[k - 1] + b.u[k + 1] + b.u[k - kEdge] + b.u[k + kEdge]);
                }
            }
        }
    }

    void checkpoint(int step) const
    {
        for (const auto &b : blocks_) {
            char name[64];
            std::snprintf(name, sizeof name, "restart_%04d_%06d.blk", step, b.id);
            std::ofstream out(name, std::ios::binary);
            out.write(reinterpret_cast<const char *>(&b.id), sizeof b.id);
            out.write(reinterpret_cast<const char *>(b.u.data()), b.u.size() * sizeof(double));
        }
    }

    double heat() const
    {
        double sum = 0.0;
        for (const auto &b : blocks_)
            for (double v : b.u)
                sum += v;
        return sum;
    }

private:
    int rank_;
    std::vector<Block> blocks_;
};

}  // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int per_rank = argc > 1 ? std::atoi(argv[1]) : 400;
    const int nstep = argc > 2 ? std::atoi(argv[2]) : 80;

    BlockMesh mesh(rank, per_rank);
    for (int step = 1; step <= nstep; ++step) {
        mesh.relax();
        if (step % 10 == 0)
            mesh.checkpoint(step);
    }

    double mine = mesh.heat(), all = 0.0;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("total heat %.8f in %d blocks\n", all, per_rank * size);
    MPI_Finalize();
    return 0;
}
