// Height tiles of a synthetic planet surface (ridged multifractal noise) with
// hill shading.  usage: fractal_terrain TILES_PER_SIDE TILE_SIZE
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

class GradientNoise {
public:
    explicit GradientNoise(uint32_t seed) : seed(seed) {}

    double operator()(double x, double y) const
    {
        int ix = (int)std::floor(x), iy = (int)std::floor(y);
        double fx = x - ix, fy = y - iy;
        double u = fade(fx), v = fade(fy);
        double a = grad(ix, iy, fx, fy), b = grad(ix + 1, iy, fx - 1, fy);
        double c = grad(ix, iy + 1, fx, fy - 1), d = grad(ix + 1, iy + 1, fx - 1, fy - 1);
        return (a + u * (b - a)) * (1 - v) + (c + u * (d - c)) * v;
    }

private:
    static double fade(double t) { return t * t * t * (t * (t * 6 - 15) + 10); }

    double grad(int x, int y, double dx, double dy) const
    {
        uint32_t h = seed ^ ((uint32_t)x * 374761393u) ^ ((uint32_t)y * 668265263u);
        h = (h ^ (h >> 13)) * 1274126177u;
        h ^= h >> 16;
        double gx = (h & 0xffff) / 32767.5 - 1.0, gy = (h >> 16) / 32767.5 - 1.0;
        return gx * dx + gy * dy;
    }

    uint32_t seed;
};

struct Tile {
    int size;
    std::vector<float> height;
    std::vector<uint8_t> shade;
};

static double ridged(const GradientNoise &noise, double x, double y)
{
    double sum = 0, amp = 1, prev = 1;
    for (int o = 0; o < 7; o++) {
        double r = 1.0 - std::fabs(noise(x, y));
        r *= r;
        sum += amp * r * prev;
        prev = r;
        amp *= 0.5;
        x *= 2.03;
        y *= 2.03;
    }
    return sum;
}

static Tile makeTile(const GradientNoise &noise, int tx, int ty, int size)
{
    Tile t{size, std::vector<float>(size * size), std::vector<uint8_t>(size * size)};
    double scale = 4.0 / size;
    for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++)
            t.height[j * size + i] = ridged(noise, (tx * size + i) * scale, (ty * size + j) * scale);
    for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++) {
            int i1 = i + 1 < size ? i + 1 : i, j1 = j + 1 < size ? j + 1 : j;
            double gx = (t.height[j * size + i1] - t.height[j * size + i]) * 40;
            double gy = (t.height[j1 * size + i] - t.height[j * size + i]) * 40;
            double s = (1.0 - gx - gy) / std::sqrt(3.0 * (1 + gx * gx + gy * gy));
            t.shade[j * size + i] = (uint8_t)(255 * (s < 0 ? 0 : s > 1 ? 1 : s));
        }
    return t;
}

static void saveTile(const std::string &folder, int tx, int ty, const Tile &t)
{
    std::string stem = folder + "/" + std::to_string(ty) + "_" + std::to_string(tx);
    std::ofstream h(stem + ".f32", std::ios::binary);
    h.write(reinterpret_cast<const char *>(t.height.data()), t.height.size() * sizeof(float));
    std::ofstream s(stem + ".pgm", std::ios::binary);
    s << "P5\n" << t.size << " " << t.size << "\n255\n";
    s.write(reinterpret_cast<const char *>(t.shade.data()), t.shade.size());
    if (!h || !s)
        std::exit(1);
}

int main(int argc, char **argv)
{
    int side = argc > 1 ? std::atoi(argv[1]) : 4;
    int size = argc > 2 ? std::atoi(argv[2]) : 512;
    GradientNoise noise(99);
    std::filesystem::create_directories("tiles");
    double sum = 0, top = 0;
    for (int ty = 0; ty < side; ty++)
        for (int tx = 0; tx < side; tx++) {
            Tile t = makeTile(noise, tx, ty, size);
            saveTile("tiles", tx, ty, t);
            for (float v : t.height) {
                sum += v;
                top = std::fmax(top, v);
            }
        }
    std::printf("%d tiles, mean height %.6f, highest %.6f\n", side * side, sum / (side * side) / (size * size), top);
    return 0;
}
