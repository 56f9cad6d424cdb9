// ws_qc: plausibility control of the ten-minute observations of one month.
// Walks the observation file record by record, compares each value with the
// last good one of its station (range, step and persistence tests) and sets the
// quality flag of the records that are touched in place.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

struct Obs {
    uint32_t station, time;
    float temp, wind, press;
    uint16_t flag, tests;
    uint32_t check, spare;
};
static_assert(sizeof(Obs) == 32, "record layout");

struct Last { float temp = NAN, wind = NAN, press = NAN; int same = 0; };

class ObsFile {
    std::fstream f_;
    size_t n_ = 0, first_ = 0;
    std::vector<Obs> block_;
    bool dirty_ = false;
    static const size_t BLOCK = 32768;
    bool store() {
        if (dirty_) {
            f_.seekp(std::streamoff(first_ * sizeof(Obs)));
            f_.write(reinterpret_cast<const char *>(block_.data()), std::streamsize(block_.size() * sizeof(Obs)));
        }
        dirty_ = false;
        return f_.good();
    }
    bool want(size_t i) {
        if (i - first_ < block_.size()) return true;
        if (!store()) return false;
        first_ = i / BLOCK * BLOCK;
        block_.resize(std::min(BLOCK, n_ - first_));
        f_.seekg(std::streamoff(first_ * sizeof(Obs)));
        return bool(f_.read(reinterpret_cast<char *>(block_.data()), std::streamsize(block_.size() * sizeof(Obs))));
    }
public:
    explicit ObsFile(const std::string &path) : f_(path, std::ios::in | std::ios::out | std::ios::binary) {
        if (!f_) return;
        f_.seekg(0, std::ios::end);
        n_ = size_t(f_.tellg()) / sizeof(Obs);
        f_.seekg(0);
    }
    bool good() const { return f_.good(); }
    size_t size() const { return n_; }
    bool get(size_t i, Obs &o) {
        if (!want(i)) return false;
        o = block_[i - first_];
        return true;
    }
    bool put(size_t i, const Obs &o) {
        if (!want(i)) return false;
        block_[i - first_] = o;
        return dirty_ = true;
    }
    bool close() { store(); f_.flush(); return f_.good(); }
};

static uint32_t checksum(const Obs &o)
{
    unsigned char b[sizeof(Obs)];
    std::memcpy(b, &o, sizeof b);
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < 24; i++) h = (h ^ b[i]) * 16777619u;
    return h;
}

static uint16_t test(const Obs &o, Last &l)
{
    uint16_t f = 0;
    if (o.temp < -45 || o.temp > 45) f |= 1;
    if (o.wind < 0 || o.wind > 60) f |= 2;
    if (o.press < 920 || o.press > 1060) f |= 4;
    if (std::fabs(o.temp - l.temp) > 6) f |= 8;
    if (std::fabs(o.press - l.press) > 5) f |= 16;
    l.same = o.wind == l.wind ? l.same + 1 : 0;
    if (l.same > 2) f |= 32;
    if (!(f & 9)) l.temp = o.temp; else if (f & 8) l.temp = NAN;
    l.wind = o.wind;
    if (!(f & 20)) l.press = o.press; else if (f & 16) l.press = NAN;
    return f;
}

int main(int argc, char **argv)
{
    if (argc < 2) { std::cerr << "usage: ws_qc observations\n"; return 2; }
    ObsFile file(argv[1]);
    if (!file.good()) { std::cerr << "ws_qc: cannot open " << argv[1] << '\n'; return 1; }
    std::vector<Last> last(2000);
    std::array<long, 6> hits{};
    long changed = 0, bad = 0;
    Obs o;
    for (size_t i = 0; i < file.size(); i++) {
        if (!file.get(i, o)) { std::cerr << "ws_qc: read error at record " << i << '\n'; return 1; }
        if (o.station >= last.size()) { bad++; continue; }
        uint16_t f = test(o, last[o.station]);
        for (int k = 0; k < 6; k++) if (f >> k & 1) hits[k]++;
        if (f == o.flag) continue;
        o.flag = f;
        o.tests = 6;
        o.check = checksum(o);
        if (!file.put(i, o)) { std::cerr << "ws_qc: write error at record " << i << '\n'; return 1; }
        changed++;
    }
    if (!file.close()) { std::cerr << "ws_qc: close\n"; return 1; }
    std::cout << file.size() << " records, " << changed << " flagged anew, " << bad << " unknown stations\n";
    for (int k = 0; k < 6; k++) std::cout << "test " << k << ": " << hits[k] << '\n';
    return 0;
}
