// Non-local means despeckling of a SAR quicklook (8-bit grey PNG).
// usage: despeckle IN.png OUT.png [h]
#include <png.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <vector>

struct Grey { int w = 0, h = 0; std::vector<png_byte> px; };

static Grey readPng(const char* path) {
    png_image im;
    memset(&im, 0, sizeof im);
    im.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&im, path)) throw std::runtime_error(im.message);
    im.format = PNG_FORMAT_GRAY;
    Grey g;
    g.w = int(im.width); g.h = int(im.height);
    g.px.resize(PNG_IMAGE_SIZE(im));
    if (!png_image_finish_read(&im, nullptr, g.px.data(), 0, nullptr)) throw std::runtime_error(im.message);
    return g;
}

static void writePng(const char* path, const Grey& g) {
    png_image im;
    memset(&im, 0, sizeof im);
    im.version = PNG_IMAGE_VERSION;
    im.width = unsigned(g.w); im.height = unsigned(g.h);
    im.format = PNG_FORMAT_GRAY;
    if (!png_image_write_to_file(&im, path, 0, g.px.data(), 0, nullptr)) throw std::runtime_error(im.message);
}

// log-intensity, mirrored at the borders
static std::vector<float> padded(const Grey& g, int pad) {
    int W = g.w + 2 * pad, H = g.h + 2 * pad;
    std::vector<float> v(size_t(W) * H);
    auto mirror = [](int i, int n) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; };
    for (int r = 0; r < H; r++)
        for (int c = 0; c < W; c++)
            v[size_t(r) * W + c] = std::log1p(float(g.px[size_t(mirror(r - pad, g.h)) * g.w + mirror(c - pad, g.w)]));
    return v;
}

static Grey nlm(const Grey& g, int search, int patch, float h) {
    int pad = search + patch, W = g.w + 2 * pad;
    std::vector<float> v = padded(g, pad);
    Grey out = g;
    float norm = 1.0f / (h * h * (2 * patch + 1) * (2 * patch + 1));
    for (int r = 0; r < g.h; r++)
        for (int c = 0; c < g.w; c++) {
            const float* p = &v[size_t(r + pad) * W + c + pad];
            float sum = 0, weight = 0;
            for (int i = -search; i <= search; i++)
                for (int j = -search; j <= search; j++) {
                    const float* q = p + i * W + j;
                    float d = 0;
                    for (int a = -patch; a <= patch; a++)
                        for (int b = -patch; b <= patch; b++) {
                            float e = p[a * W + b] - q[a * W + b];
                            d += e * e;
                        }
                    float w = std::exp(-d * norm);
                    sum += w * *q;
                    weight += w;
                }
            out.px[size_t(r) * g.w + c] = png_byte(std::min(255.0f, std::expm1(sum / weight) + 0.5f));
        }
    return out;
}

static double enl(const Grey& g) {
    double m = 0, s = 0;
    for (png_byte x : g.px) m += x;
    m /= g.px.size();
    for (png_byte x : g.px) s += (x - m) * (x - m);
    return m * m / (s / g.px.size() + 1e-9);
}

int main(int argc, char** argv) {
    if (argc < 3) { fprintf(stderr, "usage: %s IN.png OUT.png [h]\n", argv[0]); return 2; }
    try {
        Grey g = readPng(argv[1]);
        Grey f = nlm(g, 10, 1, argc > 3 ? float(atof(argv[3])) : 0.5f);
        writePng(argv[2], f);
        printf("%dx%d looks %.3f -> %.3f\n", g.w, g.h, enl(g), enl(f));
    } catch (const std::exception& e) { fprintf(stderr, "despeckle: %s\n", e.what()); return 1; }
    return 0;
}
