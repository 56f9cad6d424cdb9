// Block-structured blast wave: the domain is a grid of boxes, boxes near the
// shock are refined, and every refined patch is written to the plot files.
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

constexpr int kBoxes = 32;       // boxes per side of the domain
constexpr int kPatchCells = 8;  // cells per side of a patch
constexpr int kFields = 4;
constexpr int kSlots = 2;        // plots kept

struct Patch {
    int bi, bj, level;
};

static double shockDistance(int bi, int bj, double radius) {
    double x = (bi + 0.5) / kBoxes - 0.08, y = (bj + 0.5) / kBoxes - 0.05;
    return std::fabs(std::hypot(x, y) - radius);
}

static std::vector<Patch> refine(double radius) {
    std::vector<Patch> patches;
    for (int bj = 0; bj < kBoxes; ++bj)
        for (int bi = 0; bi < kBoxes; ++bi) {
            double d = shockDistance(bi, bj, radius);
            int copies = d < 0.06 ? 256 : (d < 0.1 ? 64 : 0);
            if (copies == 0 && bi % 16 == 0 && bj % 8 == 0) copies = 1;
            for (int level = 0; level < copies; ++level) patches.push_back({bi, bj, level});
        }
    return patches;
}

static int ownerOf(const Patch &p, std::size_t, int ranks) {
    return p.bj * ranks / kBoxes;
}

static double fillPatch(const Patch &p, double radius, std::vector<float> &cells) {
    double base = std::exp(-20.0 * shockDistance(p.bi, p.bj, radius)) + 0.01 * p.level;
    double sum = 0.0;
    for (int f = 0; f < kFields; ++f) {
        const float level = float(base * (f + 1));
        float *q = cells.data() + f * kPatchCells * kPatchCells;
        for (int k = 0; k < kPatchCells * kPatchCells; ++k) q[k] = level + 1e-4f * float(k);
        sum += q[0];
    }
    return sum;
}

class PlotFile {
  public:
    PlotFile(int step, int rank) {
        std::string name = "plt_" + std::to_string(step % kSlots) + "_" + std::to_string(rank) + ".bin";
        fd_ = open(name.c_str(), O_CREAT | O_WRONLY, 0644);
        if (fd_ < 0) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    ~PlotFile() {
        if (ftruncate(fd_, lseek(fd_, 0, SEEK_CUR)) != 0) MPI_Abort(MPI_COMM_WORLD, 3);
        close(fd_);
    }
    void append(const Patch &p, const std::vector<float> &cells) {
        const size_t bytes = cells.size() * sizeof(float);
        if (write(fd_, &p, sizeof p) != ssize_t(sizeof p)) MPI_Abort(MPI_COMM_WORLD, 2);
        if (write(fd_, cells.data(), bytes) != ssize_t(bytes)) MPI_Abort(MPI_COMM_WORLD, 2);
    }

  private:
    int fd_;
};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks, steps = argc > 1 ? std::atoi(argv[1]) : 12;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<float> cells(kFields * kPatchCells * kPatchCells);
    double local = 0.0, total = 0.0;
    long count = 0;

    for (int step = 0; step < steps; ++step) {
        double radius = 0.06 + 0.006 * step;
        std::vector<Patch> patches = refine(radius);
        PlotFile plot(step, rank);
        for (std::size_t n = 0; n < patches.size(); ++n) {
            if (ownerOf(patches[n], n, ranks) != rank) continue;
            local += fillPatch(patches[n], radius, cells);
            plot.append(patches[n], cells);
        }
        count += long(patches.size());
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Reduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) std::printf("%ld patches in %d steps, sum %.4f\n", count, steps, total);
    MPI_Finalize();
    return 0;
}
