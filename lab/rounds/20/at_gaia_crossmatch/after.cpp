// Compare the magnitudes of an alert stream with the reference catalogue:
// one fixed-length row of the catalogue for each alert.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>
#include <fcntl.h>
#include <unistd.h>

namespace {

struct Row {
    std::uint64_t id;
    double ra, dec;
    float mag, colour;
    char photometry[992];
};
static_assert(sizeof(Row) == 1024, "row");

struct Alert {
    std::uint64_t source;
    double mag;
};

struct Summary {
    long matched = 0, brightened = 0, faded = 0;
    double sum = 0, sq = 0;
    std::map<int, long> zones;

    void add(const Row &r, double mag) {
        double d = mag - r.mag;
        matched++;
        sum += d;
        sq += d * d;
        if (d < -3) brightened++;
        if (d > 3) faded++;
        zones[static_cast<int>((r.dec + 90) / 30)]++;
    }
};

std::vector<Alert> read_alerts(const std::string &path) {
    std::vector<Alert> v;
    std::ifstream in(path);
    Alert a;
    while (in >> a.source >> a.mag) v.push_back(a);
    return v;
}

class Catalogue {
public:
    explicit Catalogue(const std::string &path) : fd_(::open(path.c_str(), O_RDONLY)) {
        if (fd_ < 0) {
            std::perror(path.c_str());
            std::exit(1);
        }
        rows_ = static_cast<std::uint64_t>(::lseek(fd_, 0, SEEK_END)) / sizeof(Row);
    }
    ~Catalogue() { ::close(fd_); }
    std::uint64_t rows() const { return rows_; }

    // calls f(row) for every row, in the order of the file
    template <class F> void each(F f) const {
        std::vector<Row> block(4096);
        for (std::uint64_t first = 0; first < rows_;) {
            std::uint64_t n = std::min<std::uint64_t>(block.size(), rows_ - first);
            size_t bytes = n * sizeof(Row);
            if (::pread(fd_, block.data(), bytes, static_cast<off_t>(first * sizeof(Row))) != (ssize_t)bytes) break;
            for (std::uint64_t i = 0; i < n; i++) f(block[i]);
            first += n;
        }
    }

private:
    int fd_;
    std::uint64_t rows_;
};

void write_table(const std::string &path, const Summary &s) {
    std::ofstream out(path);
    out << "# declination zone, alerts\n";
    for (const auto &z : s.zones) out << z.first << ' ' << z.second << '\n';
}

void match(const Catalogue &cat, std::vector<Alert> &alerts, Summary &s, long &missing) {
    std::stable_sort(alerts.begin(), alerts.end(), [](const Alert &a, const Alert &b) { return a.source < b.source; });
    size_t k = 0;
    cat.each([&](const Row &r) {
        for (; k < alerts.size() && alerts[k].source == r.id; k++) s.add(r, alerts[k].mag);
    });
    missing += static_cast<long>(alerts.size() - k);
}

} // namespace

int main(int argc, char **argv) {
    std::string catalogue = argc > 1 ? argv[1] : "catalogue.bin";
    std::string alerts_path = argc > 2 ? argv[2] : "alerts.txt";

    Catalogue cat(catalogue);
    std::vector<Alert> alerts = read_alerts(alerts_path);
    Summary s;
    long missing = 0;
    match(cat, alerts, s, missing);
    write_table("zones.txt", s);

    double n = static_cast<double>(std::max(1L, s.matched));
    std::printf("alerts %zu matched %ld missing %ld\n", alerts.size(), s.matched, missing);
    std::printf("mean %.4f scatter %.4f brightened %ld faded %ld\n", s.sum / n,
                std::sqrt(s.sq / n - s.sum / n * s.sum / n), s.brightened, s.faded);
    return 0;
}
