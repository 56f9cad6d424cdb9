// Polymer brush: bead-spring chains grafted to a wall, Brownian dynamics.
// Every rank moves its own chains; the configurations of all chains are saved
// as whole blocks into one trajectory file (frame by frame, rank by rank).
#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace brush {

constexpr int beads = 64;
constexpr double spring = 30.0, bond = 0.9;
constexpr double drag = 1.0, kT = 1.0;
constexpr double solvent = 0.08;               // weak pull away from the wall

struct Bead { double x, y, z; };

class Noise {
public:
    explicit Noise(std::uint64_t s) : s_(s) {}
    double uniform()
    {
        s_ ^= s_ << 13; s_ ^= s_ >> 7; s_ ^= s_ << 17;
        return (s_ >> 11) * (1.0 / 9007199254740992.0) - 0.5;
    }
private:
    std::uint64_t s_;
};

class Patch {
public:
    Patch(int chains, int rank) : chains_(chains), bead_(chains * std::size_t(beads)), force_(bead_.size()),
                                  noise_(0x2545F4914F6CDD1DULL + 977 * rank)
    {
        for (int c = 0; c < chains; ++c)
            for (int b = 0; b < beads; ++b)
                bead_[c * std::size_t(beads) + b] = {c % 100 * 1.2, c / 100 * 1.2 + 1000.0 * rank, bond * b};
    }

    void step(double dt)
    {
        const double amplitude = std::sqrt(24.0 * kT * dt / drag);
        for (int c = 0; c < chains_; ++c) {
            Bead* r = &bead_[c * std::size_t(beads)];
            Bead* f = &force_[c * std::size_t(beads)];
            for (int b = 0; b < beads; ++b) f[b] = {0.0, 0.0, solvent};
            for (int b = 0; b + 1 < beads; ++b) {
                const double dx = r[b + 1].x - r[b].x, dy = r[b + 1].y - r[b].y, dz = r[b + 1].z - r[b].z;
                const double d = std::sqrt(dx * dx + dy * dy + dz * dz) + 1e-12;
                const double k = spring * (d - bond) / d;
                f[b].x += k * dx; f[b].y += k * dy; f[b].z += k * dz;
                f[b + 1].x -= k * dx; f[b + 1].y -= k * dy; f[b + 1].z -= k * dz;
            }
            for (int b = 1; b < beads; ++b) {              // bead 0 is grafted
                r[b].x += dt / drag * f[b].x + amplitude * noise_.uniform();
                r[b].y += dt / drag * f[b].y + amplitude * noise_.uniform();
                r[b].z += dt / drag * f[b].z + amplitude * noise_.uniform();
                if (r[b].z < 0.0) r[b].z = -r[b].z;
            }
        }
    }

    double height() const
    {
        double h = 0;
        for (int c = 0; c < chains_; ++c) h += bead_[c * std::size_t(beads) + beads - 1].z;
        return h / chains_;
    }
    const std::vector<Bead>& all() const { return bead_; }

private:
    int chains_;
    std::vector<Bead> bead_, force_;
    Noise noise_;
};

}  // namespace brush

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int chains = argc > 1 ? std::atoi(argv[1]) : 5000;
    const int frames = argc > 2 ? std::atoi(argv[2]) : 6;
    const int between = 40;

    brush::Patch patch(chains, rank);
    MPI_File trajectory;
    MPI_File_open(MPI_COMM_WORLD, "brush.trj", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &trajectory);
    for (int frame = 0; frame < frames; ++frame) {
        for (int s = 0; s < between; ++s) patch.step(0.004);
        const auto& block = patch.all();
        const MPI_Offset bytes = block.size() * sizeof(brush::Bead);
        MPI_File_write_at_all(trajectory, (MPI_Offset(frame) * ranks + rank) * bytes, block.data(),
                              static_cast<int>(block.size() * 3), MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&trajectory);

    double mine = patch.height(), sum = 0;
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) std::printf("%d chains, brush height %.4f\n", chains * ranks, sum / ranks);
    MPI_Finalize();
    return 0;
}
