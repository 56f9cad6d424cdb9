// Classifies simulated reads by their k-mers with a memory-mapped signature table.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static const int K = 15;
static const uint32_t SLOTS = 1u << 18;

static uint64_t mix(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ULL;
    return x ^ (x >> 33);
}

class SignatureTable {
public:
    static void build(const std::string &path)
    {
        std::vector<uint16_t> slots(SLOTS);
        for (uint32_t i = 0; i < SLOTS; i++)
            slots[i] = (uint16_t)(mix(i) % 97);
        FILE *f = std::fopen(path.c_str(), "wb");
        if (!f || std::fwrite(slots.data(), 2, SLOTS, f) != SLOTS)
            std::exit(1);
        std::fclose(f);
    }

    explicit SignatureTable(const std::string &path)
    {
        fd_ = open(path.c_str(), O_RDONLY);
        void *p = mmap(nullptr, SLOTS * 2, PROT_READ, MAP_SHARED, fd_, 0);
        if (fd_ < 0 || p == MAP_FAILED)
            std::exit(1);
        slots_ = static_cast<const uint16_t *>(p);
    }

    ~SignatureTable()
    {
        munmap(const_cast<uint16_t *>(slots_), SLOTS * 2);
        close(fd_);
    }

    int taxon(uint64_t kmer) const { return slots_[mix(kmer) & (SLOTS - 1)]; }

private:
    int fd_;
    const uint16_t *slots_;
};

static std::string simulate_read(uint64_t number)
{
    std::string s(150, 'A');
    uint64_t r = mix(number + 1);
    for (char &c : s) {
        r = r * 6364136223846793005ULL + 1442695040888963407ULL;
        c = "ACGT"[r >> 62];
    }
    return s;
}

static uint64_t encode(const std::string &s, size_t at)
{
    uint64_t fwd = 0, rev = 0;
    for (int i = 0; i < K; i++) {
        char c = s[at + i];
        uint64_t b = c == 'A' ? 0 : c == 'C' ? 1 : c == 'G' ? 2 : 3;
        fwd = fwd << 2 | b;
        rev = rev >> 2 | (3 - b) << (2 * K - 2);
    }
    return fwd < rev ? fwd : rev;
}

static int classify(const std::string &read, const SignatureTable &table, double &entropy)
{
    double votes[97] = { 0 };
    int best = 0;
    size_t n = read.size() - K + 1;
    for (size_t i = 0; i < n; i++)
        votes[table.taxon(encode(read, i))] += 1;
    entropy = 0;
    for (int t = 0; t < 97; t++) {
        if (votes[t] > 0)
            entropy -= votes[t] / n * std::log(votes[t] / n);
        if (votes[t] > votes[best])
            best = t;
    }
    return best;
}

int main(int argc, char **argv)
{
    long nread = argc > 1 ? std::atol(argv[1]) : 500000;
    std::vector<long> count(97);
    double entropy, sum = 0;
    SignatureTable::build("signatures.tab");
    SignatureTable table("signatures.tab");
    for (long i = 0; i < nread; i++) {
        count[classify(simulate_read(i), table, entropy)]++;
        sum += entropy;
    }
    FILE *out = std::fopen("taxa.txt", "w");
    for (int t = 0; t < 97; t++)
        std::fprintf(out, "%d\t%ld\n", t, count[t]);
    std::fclose(out);
    std::printf("reads %ld mean entropy %.6f\n", nread, sum / nread);
    return 0;
}
