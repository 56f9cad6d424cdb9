// Page counters of a web shop: a fixed-record file holds hits, distinct days
// and revenue of each article; a day's click log is applied to it.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

struct Counter {
    std::uint32_t article;
    std::uint32_t days;
    std::uint64_t hits;
    std::uint64_t cents;
    std::uint32_t last_day;
    std::uint32_t check;
};

static std::uint32_t seal(const Counter &c)
{
    std::uint64_t v = c.article * 2654435761u ^ c.hits * 40503u ^ c.cents ^ c.days * 31u ^ c.last_day;
    return std::uint32_t(v ^ v >> 32);
}

struct Click {
    std::uint32_t article;
    std::uint32_t day;
    std::uint32_t cents;
};

class CounterStore {
public:
    explicit CounterStore(const std::string &path)
    {
        f_ = std::fopen(path.c_str(), "r+b");
        if (!f_) {
            std::perror(path.c_str());
            std::exit(1);
        }
        std::fseek(f_, 0, SEEK_END);
        table_.resize(std::ftell(f_) / sizeof(Counter));
        std::rewind(f_);
        if (std::fread(table_.data(), sizeof(Counter), table_.size(), f_) != table_.size()) std::exit(1);
    }
    ~CounterStore()
    {
        std::rewind(f_);
        std::fwrite(table_.data(), sizeof(Counter), table_.size(), f_);
        std::fclose(f_);
    }

    void apply(const Click &k)
    {
        Counter c = load(k.article);
        if (c.last_day != k.day) {
            c.last_day = k.day;
            ++c.days;
        }
        ++c.hits;
        c.cents += k.cents;
        c.check = seal(c);
        store(k.article, c);
    }

private:
    Counter load(std::uint32_t i)
    {
        Counter c = table_.at(i);
        if (c.article != i) {
            std::cerr << "counter " << i << " is damaged\n";
            std::exit(1);
        }
        return c;
    }
    void store(std::uint32_t i, const Counter &c)
    {
        table_[i] = c;
    }

    std::vector<Counter> table_;
    std::FILE *f_;
};

static std::vector<Click> read_clicks(const std::string &path)
{
    std::vector<Click> out;
    std::ifstream in(path);
    Click k;
    while (in >> k.article >> k.day >> k.cents) out.push_back(k);
    return out;
}

static void report(const std::string &path)
{
    std::ifstream in(path, std::ios::binary);
    Counter c;
    std::uint64_t hits = 0, cents = 0, bad = 0, days = 0, top = 0, best = 0;
    while (in.read(reinterpret_cast<char *>(&c), sizeof c)) {
        if (c.hits && seal(c) != c.check) ++bad;
        hits += c.hits;
        cents += c.cents;
        days += c.days;
        if (c.hits > best) {
            best = c.hits;
            top = c.article;
        }
    }
    std::cout << hits << " hits, " << cents << " cents, " << days << " article days, top " << top << " with " << best
              << ", bad " << bad << "\n";
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        std::cerr << "usage: counters store clicks\n";
        return 2;
    }
    auto clicks = read_clicks(argv[2]);
    {
        CounterStore store(argv[1]);
        for (auto &k : clicks) store.apply(k);
    }
    report(argv[1]);
}
