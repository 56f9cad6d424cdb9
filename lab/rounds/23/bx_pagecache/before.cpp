// bx_pagecache - scores query profiles against coverage tiles kept in a paged file; pages go through an LRU buffer pool.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <list>
#include <stdexcept>
#include <unordered_map>
#include <vector>
#include <fcntl.h>
#include <unistd.h>

class Pool {
    struct Frame { uint32_t no; std::vector<uint8_t> data; };
    int fd_; uint32_t page_, pages_; size_t cap_;
    std::list<Frame> lru_; std::unordered_map<uint32_t, std::list<Frame>::iterator> where_;
public:
    uint64_t hits = 0, misses = 0;
    Pool(const char *path, size_t frames) : cap_(frames) {
        fd_ = ::open(path, O_RDONLY);
        char h[12];
        if (fd_ < 0 || ::pread(fd_, h, 12, 0) != 12 || std::memcmp(h, "TILE", 4)) throw std::runtime_error(std::string(path) + ": no tile file");
        std::memcpy(&pages_, h + 4, 4); std::memcpy(&page_, h + 8, 4);
    }
    ~Pool() { ::close(fd_); }
    uint32_t pages() const { return pages_; }
    const std::vector<uint8_t> &get(uint32_t no) {
        if (no >= pages_) throw std::out_of_range("page " + std::to_string(no));
        auto it = where_.find(no);
        if (it != where_.end()) { hits++; lru_.splice(lru_.begin(), lru_, it->second); return lru_.front().data; }
        misses++;
        if (lru_.size() >= cap_) { where_.erase(lru_.back().no); lru_.splice(lru_.begin(), lru_, std::prev(lru_.end())); }
        else lru_.push_front(Frame{no, std::vector<uint8_t>(page_)});
        Frame &f = lru_.front(); f.no = no;
        if (::pread(fd_, f.data.data(), page_, (off_t)(no + 1) * page_) != (ssize_t)page_) throw std::runtime_error("short page");
        where_[no] = lru_.begin();
        return f.data;
    }
};

// best local match of the profile in the tile: Smith-Waterman on coverage classes, linear gaps
static int score(const std::vector<uint8_t> &tile, const std::vector<uint8_t> &profile) {
    std::vector<int> row(profile.size() + 1, 0); int best = 0;
    for (uint8_t t : tile) {
        int diag = 0;
        for (size_t j = 1; j <= profile.size(); j++) {
            int d = std::abs(int(t >> 5) - int(profile[j - 1] >> 5));
            int s = std::max({0, diag + (d == 0 ? 3 : -d), row[j] - 4, row[j - 1] - 4});
            diag = row[j]; row[j] = s; best = std::max(best, s);
        }
    }
    return best;
}

static std::vector<uint8_t> profileOf(unsigned seed) {
    std::vector<uint8_t> p(8); uint32_t x = seed * 2654435761u + 1;
    for (auto &b : p) { x = x * 1664525u + 1013904223u; b = x >> 24; }
    return p;
}

int main(int argc, char **argv) try {
    if (argc < 3) { std::cerr << "usage: " << argv[0] << " tiles.db queries.txt\n"; return 2; }
    Pool pool(argv[1], 256);
    std::ifstream q(argv[2]);
    uint32_t page; unsigned prof; uint64_t n = 0, sum = 0; int best = 0;
    while (q >> page >> prof) {
        int s = score(pool.get(page), profileOf(prof));
        sum += s; best = std::max(best, s); n++;
    }
    std::cout << n << " queries, sum " << sum << ", best " << best << ", " << pool.hits << " hits, " << pool.misses << " misses\n";
} catch (const std::exception &e) { std::cerr << e.what() << '\n'; return 1; }
