// Renders density projections of a particle cloud; every rank deposits its own image tiles.
#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kTile = 256;

struct Particle {
    float x, y, z, h;
};

class Cloud {
public:
    explicit Cloud(int n)
    {
        unsigned int s = 20240u;
        auto draw = [&s]() {
            s = s * 1664525u + 1013904223u;
            return float(s >> 8) / 16777216.0f;
        };
        for (int k = 0; k < n; ++k) {
            float r = 0.45f * std::sqrt(draw()), phi = 6.2831853f * draw();
            particles_.push_back({0.5f + r * std::cos(phi), 0.5f + r * std::sin(phi), draw(), 0.02f});
        }
    }

    void project(std::vector<float> &tile, double angle) const
    {
        const float c = float(std::cos(angle)), s = float(std::sin(angle));
        for (auto &v : tile)
            v = 0.0f;
        for (const auto &p : particles_) {
            float px = (0.5f + (p.x - 0.5f) * c + (p.z - 0.5f) * s) * kTile;
            float py = p.y * kTile;
            splat(tile, px, py, p.h * kTile);
        }
    }

private:
    static void splat(std::vector<float> &tile, float px, float py, float h)
    {
        int i0 = int(px - h), i1 = int(px + h), j0 = int(py - h), j1 = int(py + h);
        for (int j = j0; j <= j1; ++j) {
            for (int i = i0; i <= i1; ++i) {
                if (i < 0 || j < 0 || i >= kTile || j >= kTile)
                    continue;
                float d2 = ((i - px) * (i - px) + (j - py) * (j - py)) / (h * h);
                if (d2 < 1.0f)
                    tile[j * kTile + i] += (1.0f - d2) * (1.0f - d2);
            }
        }
    }

    std::vector<Particle> particles_;
};

}  // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int nview = argc > 1 ? std::atoi(argv[1]) : 48;

    Cloud cloud(100000);
    std::vector<float> tile(kTile * kTile);
    MPI_File album;
    MPI_File_open(MPI_COMM_WORLD, "album.f32", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &album);
    double light = 0.0, total = 0.0;
    for (int view = rank; view < nview; view += size) {
        cloud.project(tile, 3.14159265 * view / nview);
        MPI_Offset at = MPI_Offset(view) * kTile * kTile * sizeof(float);
        MPI_File_write_at(album, at, tile.data(), kTile * kTile, MPI_FLOAT, MPI_STATUS_IGNORE);
        for (float v : tile)
            light += v;
    }
    MPI_File_close(&album);
    MPI_Reduce(&light, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("%d views, total light %.6e\n", nview, total);
    MPI_Finalize();
    return 0;
}
