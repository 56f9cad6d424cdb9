// Deform a triangulated membrane and write its vertices and forces for the plotting program.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

struct Vertex {
    double x, y, z;
    double fx, fy, fz;
};

class Membrane {
public:
    explicit Membrane(int n) : n_(n), v_(size_t(n) * n)
    {
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                at(i, j) = {double(i) / n, double(j) / n, 0.1 * std::sin(9.0 * i / n) * std::cos(7.0 * j / n), 0, 0, 0};
    }

    void relax(double dt)
    {
        for (int j = 1; j < n_ - 1; j++)
            for (int i = 1; i < n_ - 1; i++) {
                Vertex &c = at(i, j);
                c.fx = at(i + 1, j).x + at(i - 1, j).x - 2 * c.x;
                c.fy = at(i, j + 1).y + at(i, j - 1).y - 2 * c.y;
                c.fz = at(i + 1, j).z + at(i - 1, j).z + at(i, j + 1).z + at(i, j - 1).z - 4 * c.z;
            }
        for (Vertex &c : v_) {
            c.x += dt * c.fx;
            c.y += dt * c.fy;
            c.z += dt * c.fz;
        }
    }

    double area() const
    {
        double sum = 0;
        for (int j = 0; j < n_ - 1; j++)
            for (int i = 0; i < n_ - 1; i++) {
                double dx = at(i + 1, j).z - at(i, j).z, dy = at(i, j + 1).z - at(i, j).z;
                sum += std::sqrt(1.0 + (dx * dx + dy * dy) * n_ * n_) / (double(n_) * n_);
            }
        return sum;
    }

    const std::vector<Vertex> &vertices() const { return v_; }

private:
    Vertex &at(int i, int j) { return v_[size_t(j) * n_ + i]; }
    const Vertex &at(int i, int j) const { return v_[size_t(j) * n_ + i]; }
    int n_;
    std::vector<Vertex> v_;
};

static void write_frame(const std::string &path, const std::vector<Vertex> &vertices)
{
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char *>(vertices.data()), vertices.size() * sizeof(Vertex));
}

int main(int argc, char **argv)
{
    int frames = argc > 1 ? std::atoi(argv[1]) : 5;
    Membrane membrane(150);
    for (int f = 0; f < frames; f++) {
        for (int s = 0; s < 5; s++)
            membrane.relax(0.1);
        write_frame("membrane_" + std::to_string(f) + ".dat", membrane.vertices());
    }
    std::printf("frames %d area %.8f\n", frames, membrane.area());
    return 0;
}
