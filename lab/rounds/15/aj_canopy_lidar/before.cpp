// canopy: leaf area density of a forest plot from airborne lidar returns.
//
// Input is the flight's return file: 64-byte header, then 32 bytes per return
// in order of time.  Returns are binned into voxel columns; from hits and
// passes per voxel the plant area density follows (Beer-Lambert).
//
//   canopy flight.ret
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#pragma pack(push, 1)
struct Header {
    char magic[8];
    std::uint64_t count;
    float xmin, ymin, xmax, ymax;
    char site[32];
};
struct Return {
    float x, y, z;
    float scan_angle;
    double gps_time;
    std::uint16_t intensity;
    std::uint8_t number, of;
    std::uint32_t source;
};
#pragma pack(pop)
static_assert(sizeof(Header) == 64 && sizeof(Return) == 32, "record layout");

class ReturnFile {
public:
    explicit ReturnFile(const std::string& name) : in_(name, std::ios::binary) {
        in_.read(reinterpret_cast<char*>(&head_), sizeof head_);
        if (!in_ || std::string(head_.magic, 4) != "RETS")
            throw std::runtime_error(name + ": not a return file");
    }

    const Header& header() const { return head_; }
    std::uint64_t size() const { return head_.count; }

    Return operator[](std::uint64_t i) {
        Return r;
        in_.seekg(static_cast<std::streamoff>(sizeof(Header) + i * sizeof(Return)));
        in_.read(reinterpret_cast<char*>(&r), sizeof r);
        return r;
    }

private:
    std::ifstream in_;
    Header head_;
};

class VoxelGrid {
public:
    static constexpr int kSide = 64, kLevels = 40;

    explicit VoxelGrid(const Header& h)
        : x0_(h.xmin), y0_(h.ymin), dx_((h.xmax - h.xmin) / kSide),
          dy_((h.ymax - h.ymin) / kSide), hits_(kSide * kSide * kLevels),
          passes_(kSide * kSide * kLevels) {}

    void add(const Return& r) {
        const int i = clamp((r.x - x0_) / dx_), j = clamp((r.y - y0_) / dy_);
        const int top = std::min(kLevels - 1, std::max(0, static_cast<int>(r.z)));
        const double path = 1.0 / std::cos(r.scan_angle);
        const double weight = 1.0 / r.of;
        const std::size_t column = static_cast<std::size_t>(i * kSide + j) * kLevels;
        for (int k = kLevels - 1; k > top; --k)
            passes_[column + k] += weight * path;
        passes_[column + top] += weight * path;
        hits_[column + top] += weight;
    }

    // plant area index: density summed over the levels above 1 m
    double area_index(int i, int j) const {
        const std::size_t column = static_cast<std::size_t>(i * kSide + j) * kLevels;
        double pai = 0.0;
        for (int k = 1; k < kLevels; ++k) {
            const double p = passes_[column + k];
            if (p > 0.0)
                pai += -std::log(std::max(1.0 - hits_[column + k] / p, 1e-3)) / 0.5;
        }
        return pai;
    }

private:
    static int clamp(double v) {
        return v < 0 ? 0 : v >= kSide ? kSide - 1 : static_cast<int>(v);
    }
    double x0_, y0_, dx_, dy_;
    std::vector<double> hits_, passes_;
};

int main(int argc, char** argv) {
    ReturnFile flight(argc > 1 ? argv[1] : "flight.ret");
    VoxelGrid grid(flight.header());

    double last = 0.0, gaps = 0.0;
    for (std::uint64_t i = 0; i < flight.size(); ++i) {
        const Return r = flight[i];
        if (last > 0.0 && r.gps_time - last > 0.02)
            gaps += r.gps_time - last;
        last = r.gps_time;
        if (r.intensity > 20)
            grid.add(r);
    }

    double mean = 0.0;
    std::ofstream map("pai.txt");
    map << std::fixed << std::setprecision(3);
    for (int i = 0; i < VoxelGrid::kSide; ++i)
        for (int j = 0; j < VoxelGrid::kSide; ++j) {
            const double pai = grid.area_index(i, j);
            map << pai << (j + 1 < VoxelGrid::kSide ? ' ' : '\n');
            mean += pai;
        }
    std::cout << flight.size() << " returns, mean plant area index "
              << mean / (VoxelGrid::kSide * VoxelGrid::kSide) << ", gaps " << gaps << " s\n";
}
