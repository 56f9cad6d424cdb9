// bx_bitcask - merge of the segments of a Bitcask store: the hint files give the newest place of every key,
// the live values are copied in key order into one merged segment and their checksums verified.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct Place { uint16_t seg; uint32_t len; uint64_t off; };
#pragma pack(push, 1)
struct Hint { uint64_t key, off; uint32_t len; };
#pragma pack(pop)
struct Header { uint32_t crc, len; uint64_t key; };

static uint32_t table[256];
static void initCrc() {
    for (uint32_t i = 0; i < 256; i++) { uint32_t c = i; for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1; table[i] = c; }
}
static uint32_t crc32(const unsigned char *p, size_t n) {
    uint32_t c = ~0u;
    while (n--) c = table[(c ^ *p++) & 255] ^ c >> 8;
    return ~c;
}

class Segment {
    int fd_; uint64_t size_; std::string path_;
public:
    explicit Segment(const std::string &path) : path_(path) {
        fd_ = ::open(path.c_str(), O_RDONLY);
        struct stat st;
        if (fd_ < 0 || ::fstat(fd_, &st)) throw std::runtime_error("cannot open " + path);
        size_ = st.st_size;
    }
    ~Segment() { ::close(fd_); }
    // copies header and value at off into buf
    void get(uint64_t off, uint32_t len, std::vector<unsigned char> &buf) const {
        const uint64_t page = 4096, base = off & ~(page - 1), need = off - base + sizeof(Header) + len;
        if (base + need > size_) throw std::runtime_error(path_ + ": record past the end");
        void *m = ::mmap(nullptr, need, PROT_READ, MAP_SHARED, fd_, (off_t)base);
        if (m == MAP_FAILED) throw std::runtime_error(path_ + ": mmap");
        const unsigned char *p = (const unsigned char *)m + (off - base);
        buf.assign(p, p + sizeof(Header) + len);
        ::munmap(m, need);
    }
};

static size_t loadHints(const std::string &path, uint16_t seg, std::unordered_map<uint64_t, Place> &dir) {
    std::unique_ptr<FILE, int (*)(FILE *)> f(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!f) throw std::runtime_error("no hints: " + path);
    Hint h; size_t n = 0;
    while (std::fread(&h, sizeof h, 1, f.get()) == 1) { dir[h.key] = Place{seg, h.len, h.off}; n++; }
    return n;
}

int main(int argc, char **argv) try {
    if (argc < 2) { std::cerr << "usage: " << argv[0] << " storedir\n"; return 2; }
    initCrc();
    const std::string dir = argv[1];
    std::unordered_map<uint64_t, Place> keydir; std::vector<std::unique_ptr<Segment>> segs; size_t records = 0;
    for (uint16_t s = 0; s < 100; s++) {
        char name[32]; std::snprintf(name, sizeof name, "/%03u.", s);
        if (::access((dir + name + "data").c_str(), R_OK)) break;
        segs.emplace_back(new Segment(dir + name + "data"));
        records += loadHints(dir + name + "hint", s, keydir);
    }
    std::vector<uint64_t> keys;
    for (auto &kv : keydir) keys.push_back(kv.first);
    std::sort(keys.begin(), keys.end());
    FILE *out = std::fopen((dir + "/merged.data").c_str(), "wb");
    if (!out) throw std::runtime_error("cannot write merged.data");
    std::setvbuf(out, nullptr, _IOFBF, 1 << 20);
    std::vector<unsigned char> buf; uint64_t bytes = 0, bad = 0;
    for (uint64_t k : keys) {
        const Place &p = keydir[k];
        segs[p.seg]->get(p.off, p.len, buf);
        Header h; std::memcpy(&h, buf.data(), sizeof h);
        if (h.key != k || crc32(buf.data() + sizeof h, h.len) != h.crc) { bad++; continue; }
        std::fwrite(buf.data(), 1, buf.size(), out); bytes += buf.size();
    }
    if (std::fclose(out)) throw std::runtime_error("merged.data");
    std::cout << records << " records, " << keys.size() << " live, " << bytes << " bytes, " << bad << " bad\n";
} catch (const std::exception &e) { std::cerr << e.what() << '\n'; return 1; }
