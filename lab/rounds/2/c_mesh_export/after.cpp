// Marching squares on an implicit terrain; the contour segments are exported
// as a binary polyline set with a small header.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Vertex {
    float x, y, z;
};

class SegmentFile {
    std::ofstream out_;
    std::uint32_t count_ = 0;

    template <class T> void put(const T &v)
    {
        out_.write(reinterpret_cast<const char *>(&v), sizeof v);
    }

public:
    explicit SegmentFile(const std::string &path)
    {
        out_.open(path, std::ios::binary | std::ios::trunc);
        if (!out_)
            throw std::runtime_error("cannot write " + path);
        put(std::uint32_t(0x43544F4Eu));
        put(count_);
    }
    void add(const Vertex &a, const Vertex &b, std::uint16_t level)
    {
        put(level);
        put(a.x);
        put(a.y);
        put(a.z);
        put(b.x);
        put(b.y);
        put(b.z);
        ++count_;
    }
    std::uint32_t finish()
    {
        out_.seekp(4);
        put(count_);
        out_.close();
        return count_;
    }
};

static double terrain(double x, double y)
{
    return 300.0 * std::sin(0.05 * x) * std::cos(0.041 * y) + 120.0 * std::sin(0.21 * x + 0.13 * y) +
           2.0 * x;
}

static Vertex cut(double x0, double y0, double h0, double x1, double y1, double h1, double level)
{
    double f = (level - h0) / (h1 - h0);
    return {float(x0 + f * (x1 - x0)), float(y0 + f * (y1 - y0)), float(level)};
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 300;
    std::vector<double> h(std::size_t(n) * n);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            h[std::size_t(j) * n + i] = terrain(i * 0.5, j * 0.5);

    SegmentFile file("contours.seg");
    double length = 0.0;
    for (int l = 0; l < 40; ++l) {
        double level = -200.0 + 25.0 * l;
        for (int j = 0; j + 1 < n; ++j)
            for (int i = 0; i + 1 < n; ++i) {
                double h00 = h[std::size_t(j) * n + i], h10 = h[std::size_t(j) * n + i + 1];
                double h01 = h[std::size_t(j + 1) * n + i], h11 = h[std::size_t(j + 1) * n + i + 1];
                Vertex v[4];
                int k = 0;
                if ((h00 < level) != (h10 < level)) v[k++] = cut(i, j, h00, i + 1, j, h10, level);
                if ((h10 < level) != (h11 < level)) v[k++] = cut(i + 1, j, h10, i + 1, j + 1, h11, level);
                if ((h01 < level) != (h11 < level)) v[k++] = cut(i, j + 1, h01, i + 1, j + 1, h11, level);
                if ((h00 < level) != (h01 < level)) v[k++] = cut(i, j, h00, i, j + 1, h01, level);
                for (int s = 0; s + 1 < k; s += 2) {
                    file.add(v[s], v[s + 1], std::uint16_t(l));
                    length += std::hypot(v[s].x - v[s + 1].x, v[s].y - v[s + 1].y);
                }
            }
    }
    std::printf("%u segments, total length %.3f\n", file.finish(), length);
    return 0;
}
