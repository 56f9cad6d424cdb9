// ws_concat: joins the hourly radar volumes of a day into the daily archive
// that goes to tape: each member gets a header with name, length and CRC-32, the
// speckle statistics go to the log,
// the archive is written under a temporary name and renamed.
// Structure of ar/tar-like concatenation tools (header, body, padding, trailer).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <iostream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

struct Member { char name[48]; uint64_t length, offset; uint32_t sum, flags; };

static uint32_t table[256];

static void crc_init()
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
}

static uint32_t crc_add(uint32_t c, const unsigned char *p, size_t n)
{
    while (n--) c = table[(c ^ *p++) & 255] ^ (c >> 8);
    return c;
}

// speckle: bins that stand out from both neighbours, per reflectivity class
static void speckle(const unsigned char *p, size_t n, uint64_t *count)
{
    for (size_t i = 2; i + 2 < n; i++) {
        int around = (p[i - 2] + p[i - 1] + p[i + 1] + p[i + 2]) / 4, d = p[i] - around;
        if (d > 24) count[p[i] >> 5]++;
        else if (d < -24) count[8 + (p[i] >> 5)]++;
    }
}

static bool write_all(int fd, const void *p, size_t n)
{
    const char *b = static_cast<const char *>(p);
    while (n) {
        ssize_t k = write(fd, b, n);
        if (k < 0) return false;
        b += k; n -= size_t(k);
    }
    return true;
}

static std::vector<std::string> volumes(const std::string &dir)
{
    std::vector<std::string> v;
    DIR *d = opendir(dir.c_str());
    if (!d) return v;
    while (dirent *e = readdir(d)) {
        std::string n = e->d_name;
        if (n.size() > 4 && n.compare(n.size() - 4, 4, ".vol") == 0) v.push_back(n);
    }
    closedir(d);
    std::sort(v.begin(), v.end());
    return v;
}

int main(int argc, char **argv)
{
    if (argc < 3) { std::cerr << "usage: ws_concat dir archive\n"; return 2; }
    std::string dir = argv[1], target = argv[2], part = target + ".part";
    uint64_t count[16] = {};
    crc_init();
    int out = open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (out < 0) { perror(part.c_str()); return 1; }
    std::vector<Member> members;
    std::vector<unsigned char> buf(1 << 20);
    uint64_t pos = 0;
    for (const std::string &name : volumes(dir)) {
        int in = open((dir + "/" + name).c_str(), O_RDONLY);
        if (in < 0) { perror(name.c_str()); return 1; }
        Member m{};
        std::snprintf(m.name, sizeof m.name, "%s", name.c_str());
        m.offset = pos;
        uint32_t crc = 0xffffffffu;
        ssize_t n;
        while ((n = read(in, buf.data(), buf.size())) > 0) {
            crc = crc_add(crc, buf.data(), size_t(n));
            speckle(buf.data(), size_t(n), count);
            if (!write_all(out, buf.data(), size_t(n))) { perror("write"); return 1; }
            m.length += uint64_t(n);
        }
        close(in);
        m.sum = ~crc;
        pos += m.length;
        members.push_back(m);
    }
    uint64_t trailer[2] = { members.size(), pos };
    if (!write_all(out, members.data(), members.size() * sizeof(Member)) || !write_all(out, trailer, sizeof trailer)) { perror("trailer"); return 1; }
    if (close(out) || rename(part.c_str(), target.c_str())) { perror(target.c_str()); return 1; }
    for (const Member &m : members) std::printf("%-24s %10llu %08x\n", m.name, (unsigned long long)m.length, m.sum);
    for (int k = 0; k < 16; k++) std::printf("%llu%c", (unsigned long long)count[k], k % 8 == 7 ? '\n' : ' ');
    std::printf("%zu members, %llu bytes\n", members.size(), (unsigned long long)pos);
    return 0;
}
