// End of day run: accrue interest on every account of the ledger, in place.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>

struct Account {
    int64_t number;
    int32_t branch;
    int32_t last_day;
    double balance;
    double rate;
    double accrued;
    int32_t postings;
    char memo[84];
};
static_assert(sizeof(Account) == 128, "ledger record");

struct LedgerHeader {
    char magic[4];
    int32_t count;
    int64_t day;
    char rest[112];
};

static int day_number(int yyyymmdd)
{
    int y = yyyymmdd / 10000, m = yyyymmdd / 100 % 100, d = yyyymmdd % 100;
    if (m < 3) {
        y--;
        m += 12;
    }
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m - 457) / 5 + d - 306;
}

static bool accrue(Account &acc, int today)
{
    int days = day_number(today) - day_number(acc.last_day);
    if (days < 0 || acc.balance <= 0)
        return false;
    double interest = acc.balance * (std::pow(1 + acc.rate, days / 365.0) - 1);
    acc.accrued += std::round(interest * 100) / 100;
    acc.last_day = today;
    acc.postings++;
    std::snprintf(acc.memo, sizeof acc.memo, "accrued %d days", days);
    return true;
}

int main(int argc, char **argv)
{
    const char *path = "accounts.led";
    int today = argc > 1 ? std::atoi(argv[1]) : 20240701;
    std::fstream ledger(path, std::ios::in | std::ios::out | std::ios::binary);
    LedgerHeader head;
    if (!ledger.read(reinterpret_cast<char *>(&head), sizeof head)
        || std::memcmp(head.magic, "LEDG", 4) != 0) {
        std::cerr << path << ": not a ledger\n";
        return 1;
    }

    std::map<int, double> by_branch;
    long touched = 0;
    for (int32_t i = 0; i < head.count; i++) {
        std::streamoff where = sizeof head + static_cast<std::streamoff>(i) * sizeof(Account);
        Account acc;
        ledger.seekg(where);
        ledger.read(reinterpret_cast<char *>(&acc), sizeof acc);
        if (!ledger) {
            std::cerr << "ledger ends at record " << i << "\n";
            return 1;
        }
        if (accrue(acc, today)) {
            ledger.seekp(where);
            ledger.write(reinterpret_cast<const char *>(&acc), sizeof acc);
            touched++;
        }
        by_branch[acc.branch] += acc.accrued;
    }
    head.day = today;
    ledger.seekp(0);
    ledger.write(reinterpret_cast<const char *>(&head), sizeof head);
    ledger.close();

    std::printf("%ld of %d accounts posted\n", touched, head.count);
    for (const auto &b : by_branch)
        std::printf("branch %d accrued %.2f\n", b.first, b.second);
    return 0;
}
