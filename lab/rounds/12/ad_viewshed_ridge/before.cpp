// Where to put a radio mast: cumulative viewshed of a mountain area.
// Random mast sites are compared by the number of random receiver points in line
// of sight (with earth curvature and 4/3 refraction). The terrain model stays on
// disk and is mapped, it is too large for the machine in the field hut.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>
#include <mpi.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

constexpr double kCell = 25.0;            // m
constexpr double kEarth = 6371000.0 * 4 / 3;
constexpr double kMast = 18.0, kReceiver = 1.5;

class Terrain {
public:
    Terrain(const std::string &path, int width) : width_(width)
    {
        const int fd = open(path.c_str(), O_RDONLY);
        struct stat st;
        if (fd < 0 || fstat(fd, &st)) throw std::runtime_error("no terrain " + path);
        bytes_ = st.st_size;
        height_ = static_cast<int>(bytes_ / 2 / width);
        map_ = mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, fd, 0);
        close(fd);
        if (map_ == MAP_FAILED) throw std::runtime_error("cannot map terrain");
        z_ = static_cast<const std::int16_t *>(map_);
    }
    ~Terrain() { munmap(map_, bytes_); }
    int width() const { return width_; }
    int height() const { return height_; }

    // bilinear height in m
    double operator()(double x, double y) const
    {
        const int i = static_cast<int>(x), j = static_cast<int>(y);
        const double u = x - i, v = y - j;
        const std::int16_t *p = z_ + static_cast<long>(j) * width_ + i;
        return 0.1 * ((1 - v) * ((1 - u) * p[0] + u * p[1]) + v * ((1 - u) * p[width_] + u * p[width_ + 1]));
    }

private:
    int width_, height_;
    size_t bytes_;
    void *map_;
    const std::int16_t *z_;
};

struct Point {
    double x, y;
};

static bool in_sight(const Terrain &t, Point a, Point b)
{
    const double dx = b.x - a.x, dy = b.y - a.y;
    const double cells = std::hypot(dx, dy);
    const int n = std::max(2, static_cast<int>(cells));
    const double za = t(a.x, a.y) + kMast, zb = t(b.x, b.y) + kReceiver;
    for (int k = 1; k < n; k++) {
        const double s = static_cast<double>(k) / n;
        const double d1 = s * cells * kCell, d2 = (1 - s) * cells * kCell;
        const double bulge = d1 * d2 / (2 * kEarth);
        if (t(a.x + s * dx, a.y + s * dy) + bulge > za + s * (zb - za)) return false;
    }
    return true;
}

// highest ground within a few cells: masts stand on tops
static Point climb(const Terrain &t, Point p)
{
    for (int k = 0; k < 60; k++) {
        Point best = p;
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                const Point q{std::clamp(p.x + i, 1.0, t.width() - 3.0),
                              std::clamp(p.y + j, 1.0, t.height() - 3.0)};
                if (t(q.x, q.y) > t(best.x, best.y)) best = q;
            }
        if (best.x == p.x && best.y == p.y) break;
        p = best;
    }
    return p;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int masts = argc > 1 ? std::atoi(argv[1]) : 150;
    const int receivers = argc > 2 ? std::atoi(argv[2]) : 8000;
    Terrain terrain("terrain.dem", 1200);
    std::mt19937_64 gen(70);
    std::uniform_real_distribution<double> ux(1, terrain.width() - 3), uy(1, terrain.height() - 3);
    std::vector<Point> receiver(receivers), mast(masts);
    for (auto &r : receiver) r = {ux(gen), uy(gen)};
    for (auto &m : mast) m = climb(terrain, {ux(gen), uy(gen)});

    std::vector<int> mine(masts), seen(masts);
    for (int m = rank; m < masts; m += size)
        mine[m] = static_cast<int>(std::count_if(receiver.begin(), receiver.end(),
                                   [&](Point r) { return in_sight(terrain, mast[m], r); }));
    MPI_Reduce(mine.data(), seen.data(), masts, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        std::FILE *out = std::fopen("masts.txt", "w");
        for (int m = 0; m < masts; m++)
            std::fprintf(out, "%8.1f %8.1f %7.1f %6d\n", mast[m].x, mast[m].y,
                         terrain(mast[m].x, mast[m].y), seen[m]);
        std::fclose(out);
        const auto best = std::max_element(seen.begin(), seen.end()) - seen.begin();
        std::printf("best mast at (%.0f, %.0f) sees %.1f %% of the receivers\n",
                    mast[best].x, mast[best].y, 100.0 * seen[best] / receivers);
    }
    MPI_Finalize();
    return 0;
}
