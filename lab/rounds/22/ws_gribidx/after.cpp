// ws_gribidx: builds the inventory of a GRIB2-like archive: offset, length,
// discipline, reference time, grid, parameter, level and packing per message.
// Structure after grib_index_build / "grib_ls": walk the sections of each
// message, keep the keys, then print the index sorted by key.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Entry {
    uint64_t offset = 0, length = 0;
    int discipline = 0, category = 0, number = 0, level = 0, bits = 0;
    uint32_t time = 0, points = 0;
};

static uint32_t be32(const unsigned char *p) { return uint32_t(p[0]) << 24 | p[1] << 16 | p[2] << 8 | p[3]; }

class Archive {
    std::ifstream in_;
    uint64_t size_ = 0, base_ = 0;
    std::vector<unsigned char> msg_;
    std::vector<char> room_;
public:
    explicit Archive(const std::string &path) : in_(path, std::ios::binary) {
        if (!in_) throw std::runtime_error("cannot open " + path);
        in_.seekg(0, std::ios::end);
        size_ = uint64_t(in_.tellg());
        in_.close();
        room_.resize(1 << 20);
        in_.rdbuf()->pubsetbuf(room_.data(), std::streamsize(room_.size()));
        in_.open(path, std::ios::binary);
    }
    uint64_t size() const { return size_; }
    void get(uint64_t off, unsigned char *buf, size_t n) {
        if (off - base_ + n > msg_.size()) throw std::runtime_error("short read at " + std::to_string(off));
        std::memcpy(buf, &msg_[off - base_], n);
    }
    void load(uint64_t off) {               // the next message, front to end
        msg_.resize(16);
        in_.read(reinterpret_cast<char *>(msg_.data()), 16);
        if (in_.gcount() == 16 && !std::memcmp(msg_.data(), "GRIB", 4)) {
            msg_.resize(std::max<size_t>(20, be32(&msg_[12])));
            in_.read(reinterpret_cast<char *>(&msg_[16]), std::streamsize(msg_.size() - 16));
        }
        base_ = off;
        if (!in_) throw std::runtime_error("short read at " + std::to_string(off));
    }
};

static Entry scan(Archive &a, uint64_t off)
{
    unsigned char b[32];
    Entry e;
    a.load(off);
    a.get(off, b, 16);
    if (std::memcmp(b, "GRIB", 4)) throw std::runtime_error("no message at " + std::to_string(off));
    e.offset = off;
    e.discipline = b[6];
    e.length = be32(b + 12);
    uint64_t p = off + 16, end = off + e.length - 4;
    while (p < end) {
        a.get(p, b, 5);
        uint32_t len = be32(b);
        int sec = b[4];
        if (len < 5 || p + len > end) throw std::runtime_error("section length at " + std::to_string(p));
        if (sec == 1) { a.get(p + 12, b, 4); e.time = be32(b); }
        else if (sec == 3) { a.get(p + 6, b, 4); e.points = be32(b); }
        else if (sec == 4) { a.get(p + 9, b, 6); e.category = b[0]; e.number = b[1]; e.level = int(be32(b + 2)); }
        else if (sec == 5) { a.get(p + 19, b, 1); e.bits = b[0]; }
        p += len;
    }
    a.get(end, b, 4);
    if (std::memcmp(b, "7777", 4)) throw std::runtime_error("no end mark at " + std::to_string(end));
    return e;
}

static void write_index(const std::string &path, std::vector<Entry> &v)
{
    std::ofstream out(path);
    std::stable_sort(v.begin(), v.end(), [](const Entry &x, const Entry &y) {
        if (x.category != y.category) return x.category < y.category;
        return x.number != y.number ? x.number < y.number : x.time < y.time;
    });
    for (const Entry &e : v)
        out << e.category << '.' << e.number << ':' << e.level << ':' << e.time << ':' << e.points << ':'
            << e.bits << ':' << e.offset << ':' << e.length << '\n';
    out.flush();
    if (!out) throw std::runtime_error("cannot write " + path);
}

int main(int argc, char **argv)
try {
    if (argc < 3) { std::cerr << "usage: ws_gribidx archive index\n"; return 2; }
    Archive a(argv[1]);
    std::vector<Entry> v;
    std::map<int, uint64_t> bytes;
    for (uint64_t off = 0; off < a.size(); off += v.back().length) {
        v.push_back(scan(a, off));
        bytes[v.back().category] += v.back().length;
    }
    write_index(argv[2], v);
    std::cout << v.size() << " messages\n";
    for (auto &k : bytes) std::cout << "category " << k.first << ": " << k.second << " bytes\n";
    return 0;
} catch (const std::exception &e) {
    std::cerr << "ws_gribidx: " << e.what() << '\n';
    return 1;
}
