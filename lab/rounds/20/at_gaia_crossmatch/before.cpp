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

    bool row(std::uint64_t id, Row &r) const {
        if (id >= rows_) return false;
        return ::pread(fd_, &r, sizeof r, static_cast<off_t>(id * sizeof r)) == sizeof r && r.id == id;
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

void match(const Catalogue &cat, const std::vector<Alert> &alerts, Summary &s, long &missing) {
    Row r;
    for (const Alert &a : alerts) {
        if (cat.row(a.source, r))
            s.add(r, a.mag);
        else
            missing++;
    }
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
