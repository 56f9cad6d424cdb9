// tomo_correct: flat-field correction of a micro-tomography scan (wood sample)
//
// Several walks over the scan: all settle the beam current from the frame margins,
// the last turns the projections into line integrals (-log), freed of ring
// artefacts per row, float32, in sinogram.f32.
//
//   tomo_correct NPROJ WALKS
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int NY = 512, NX = 1024;
constexpr std::size_t PIX = static_cast<std::size_t>(NY) * NX;

using Raw = std::vector<std::uint16_t>;
using Frame = std::vector<float>;

std::FILE* open_or_die(const char* name, const char* mode) {
    std::FILE* f = std::fopen(name, mode);
    if (!f) {
        std::perror(name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return f;
}

void read_frame(std::FILE* scan, int number, std::uint16_t* raw) {
    std::fseek(scan, static_cast<long>(number * PIX * sizeof *raw), SEEK_SET);
    if (std::fread(raw, sizeof *raw, PIX, scan) != PIX)
        MPI_Abort(MPI_COMM_WORLD, 2);
}

void write_frame(std::FILE* out, int number, const float* frame) {
    std::fseek(out, static_cast<long>(number * PIX * sizeof *frame), SEEK_SET);
    std::fwrite(frame, sizeof *frame, PIX, out);
}

// mean of the margins left and right, where no sample is
double beam_level(const Raw& raw) {
    double sum = 0.0;
    for (int y = 0; y < NY; y += 4)
        for (int x = 0; x < 16; ++x)
            sum += raw[y * NX + x] + raw[y * NX + NX - 1 - x];
    return sum / (NY / 4 * 32);
}

void line_integrals(const Raw& raw, double beam, Frame& p) {
    static float logs[65536];
    if (logs[1] == 0.0f)
        for (int v = 0; v < 65536; ++v)
            logs[v] = -std::log(std::max(v - 96.0f, 1.0f) / 42000.0f);
    const float shift = static_cast<float>(std::log(beam / 42000.0));
    for (int y = 0; y < NY; ++y) {
        float row = 0.0f;
        for (int x = 0; x < NX; ++x)
            p[y * NX + x] = logs[raw[y * NX + x]] + shift;
        for (int x = 0; x < NX; x += 64)
            row += p[y * NX + x] / (NX / 64);
        for (int x = 0; x < NX; ++x)
            p[y * NX + x] -= row;
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int nproj = argc > 1 ? std::atoi(argv[1]) : 120;
    const int walks = argc > 2 ? std::atoi(argv[2]) : 6;

    std::FILE *scan = nullptr, *out = nullptr;
    Raw raw(PIX);
    Frame p(PIX);
    if (rank == 0)
        std::fclose(open_or_die("sinogram.f32", "wb"));
    MPI_Barrier(MPI_COMM_WORLD);
    scan = open_or_die("scan.raw", "rb");
    out = open_or_die("sinogram.f32", "r+b");
    double beam = 42000.0, asymmetry = 0.0;
    for (int walk = 0; walk < walks; ++walk) {
        double level = 0.0;
        for (int first = 0; first < nproj; first += size) {
            read_frame(scan, first + rank, raw.data());
            level += beam_level(raw);
            if (walk < walks - 1)
                continue;
            line_integrals(raw, beam, p);
            for (std::size_t k = 0; k < PIX; k += 64)
                asymmetry += p[k] * (k % NX < NX / 2 ? -1.0 : 1.0);
            write_frame(out, first + rank, p.data());
        }
        MPI_Allreduce(MPI_IN_PLACE, &level, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        beam = 0.5 * (beam + level / nproj);
    }
    std::fclose(scan);
    std::fclose(out);
    MPI_Allreduce(MPI_IN_PLACE, &asymmetry, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("%d projections, beam level %.1f, asymmetry %.5f\n", nproj, beam, asymmetry / nproj);
    MPI_Finalize();
}
