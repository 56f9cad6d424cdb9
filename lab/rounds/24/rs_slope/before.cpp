// Slope and terrain ruggedness of an SRTM tile (.hgt.gz), with slope classes by height band.
// usage: slope TILE.hgt.gz OUT.pgm [cellsize]
#include <zlib.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

static const int N = 3601;

static std::vector<float> readHgt(const char* path) {
    gzFile f = gzopen(path, "rb");
    if (!f) throw std::runtime_error(std::string("cannot open ") + path);
    gzbuffer(f, 512 * 1024);
    std::vector<uint8_t> raw(size_t(N) * N * 2);
    size_t got = 0;
    while (got < raw.size()) {
        int n = gzread(f, raw.data() + got, unsigned(std::min<size_t>(raw.size() - got, 1 << 20)));
        if (n <= 0) { gzclose(f); throw std::runtime_error("truncated tile"); }
        got += size_t(n);
    }
    gzclose(f);
    std::vector<float> h(size_t(N) * N);
    for (size_t i = 0; i < h.size(); i++) h[i] = int16_t(raw[2 * i] << 8 | raw[2 * i + 1]);
    return h;
}

static void slope(const std::vector<float>& h, double cell, std::vector<float>& s) {
    for (int r = 1; r < N - 1; r++)
        for (int c = 1; c < N - 1; c++) {
            const float* p = &h[size_t(r) * N + c];
            double dx = (p[-N + 1] + 2 * p[1] + p[N + 1] - p[-N - 1] - 2 * p[-1] - p[N - 1]) / (8 * cell);
            double dy = (p[N - 1] + 2 * p[N] + p[N + 1] - p[-N - 1] - 2 * p[-N] - p[-N + 1]) / (8 * cell);
            s[size_t(r) * N + c] = float(std::atan(std::hypot(dx, dy)) * 57.29577951308232);
        }
}

static void ruggedness(const std::vector<float>& h, int rad, std::vector<float>& t) {
    for (int r = rad; r < N - rad; r++)
        for (int c = rad; c < N - rad; c++) {
            double sum = 0, h0 = h[size_t(r) * N + c];
            for (int i = -rad; i <= rad; i++)
                for (int j = -rad; j <= rad; j++) {
                    double d = h[size_t(r + i) * N + c + j] - h0;
                    sum += d * d;
                }
            t[size_t(r) * N + c] = float(std::sqrt(sum));
        }
}

int main(int argc, char** argv) {
    if (argc < 3) { fprintf(stderr, "usage: %s TILE.hgt.gz OUT.pgm [cellsize]\n", argv[0]); return 2; }
    double cell = argc > 3 ? atof(argv[3]) : 30.0;
    try {
        std::vector<float> h = readHgt(argv[1]);
        std::vector<float> s(h.size()), t(h.size());
        slope(h, cell, s);
        ruggedness(h, 5, t);
        auto mm = std::minmax_element(h.begin(), h.end());
        double lo = *mm.first, step = (*mm.second - lo) / 5 + 1e-9;
        double sum[5] = {}, rug[5] = {}; long n[5] = {};
        for (size_t i = 0; i < h.size(); i++) {
            int b = std::min(4, int((h[i] - lo) / step));
            sum[b] += s[i]; rug[b] += t[i]; n[b]++;
        }
        for (int b = 0; b < 5; b++)
            printf("%7.1f m up: %8ld cells, slope %.4f deg, ruggedness %.4f\n", lo + b * step, n[b], sum[b] / std::max(1L, n[b]), rug[b] / std::max(1L, n[b]));
        std::vector<uint8_t> img(h.size());
        for (size_t i = 0; i < h.size(); i++) img[i] = uint8_t(std::min(255.0f, s[i] * 4));
        FILE* f = fopen(argv[2], "wb");
        if (!f) throw std::runtime_error("cannot write output");
        fprintf(f, "P5\n%d %d\n255\n", N, N);
        fwrite(img.data(), 1, img.size(), f);
        fclose(f);
    } catch (const std::exception& e) { fprintf(stderr, "slope: %s\n", e.what()); return 1; }
    return 0;
}
