// bx_segmerge - merges key-ordered segments of large blobs (image tiles of a sequencer) into one segment
// with checksums, synced once before it takes its final name.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <queue>
#include <stdexcept>
#include <string>
#include <vector>
#include <dirent.h>
#include <fcntl.h>
#include <algorithm>
#include <unistd.h>

struct Head { uint64_t key, len; };

class Source {
    int fd_; std::string path_;
public:
    Head head{};
    std::vector<uint8_t> blob;
    explicit Source(const std::string &p) : fd_(::open(p.c_str(), O_RDONLY)), path_(p) {
        if (fd_ < 0) throw std::runtime_error("cannot open " + p);
        ::posix_fadvise(fd_, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    ~Source() { ::close(fd_); }
    bool next() {
        ssize_t n = ::read(fd_, &head, sizeof head);
        if (n == 0) return false;
        if (n != (ssize_t)sizeof head) throw std::runtime_error(path_ + ": truncated head");
        blob.resize(head.len);
        for (size_t got = 0; got < head.len; got += n)
            if ((n = ::read(fd_, blob.data() + got, head.len - got)) <= 0) throw std::runtime_error(path_ + ": truncated blob");
        return true;
    }
};

static uint64_t fletcher(const std::vector<uint8_t> &b) {
    uint32_t lo = 1, hi = 0;
    for (uint8_t x : b) { lo = (lo + x) % 65521; hi = (hi + lo) % 65521; }
    return (uint64_t)hi << 32 | lo;
}

static void writeAll(int fd, const void *p, size_t n) {
    for (const char *c = (const char *)p; n;) {
        ssize_t k = ::write(fd, c, n);
        if (k <= 0) throw std::runtime_error("write");
        c += k; n -= k;
    }
}

static std::vector<std::string> list(const std::string &dir) {
    std::vector<std::string> r;
    DIR *d = ::opendir(dir.c_str());
    if (!d) throw std::runtime_error("cannot list " + dir);
    while (dirent *e = ::readdir(d)) if (std::strstr(e->d_name, ".seg")) r.push_back(dir + "/" + e->d_name);
    ::closedir(d);
    std::sort(r.begin(), r.end());
    return r;
}

int main(int argc, char **argv) try {
    if (argc < 3) { std::cerr << "usage: " << argv[0] << " segmentdir out.seg\n"; return 2; }
    std::vector<std::unique_ptr<Source>> src;
    auto later = [](const Source *a, const Source *b) { return a->head.key > b->head.key; };
    std::priority_queue<Source *, std::vector<Source *>, decltype(later)> heap(later);
    for (auto &p : list(argv[1])) {
        src.emplace_back(new Source(p));
        if (src.back()->next()) heap.push(src.back().get());
    }
    std::string tmp = std::string(argv[2]) + ".tmp";
    int out = ::open(tmp.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0644);
    if (out < 0) throw std::runtime_error("cannot write " + tmp);
    uint64_t n = 0, bytes = 0, sums = 0;
    while (!heap.empty()) {
        Source *s = heap.top(); heap.pop();
        uint64_t f = fletcher(s->blob); sums ^= f * (n + 1);
        s->blob.insert(s->blob.end(), (uint8_t *)&f, (uint8_t *)&f + 8);
        writeAll(out, &s->head, sizeof s->head);
        writeAll(out, s->blob.data(), s->blob.size());
        n++; bytes += s->blob.size();
        if (s->next()) heap.push(s);
    }
    if (::fsync(out) || ::close(out) || ::rename(tmp.c_str(), argv[2])) throw std::runtime_error("commit of " + tmp);
    std::cout << n << " blobs, " << bytes << " bytes, " << std::hex << sums << "\n";
} catch (const std::exception &e) { std::cerr << e.what() << '\n'; return 1; }
