// Rating engine: worker threads price usage records from a feed; prices are
// kept in an audit log and in a per-customer ledger.
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <queue>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

struct Usage {
    int customer;
    int minutes;
    int tariff;
};

struct Priced {
    Usage u;
    double amount;
};

class Feed {
public:
    explicit Feed(const std::string &path) : in_(path) {}
    bool next(Usage &u)
    {
        std::lock_guard<std::mutex> g(m_);
        std::string line;
        if (!std::getline(in_, line)) return false;
        std::istringstream s(line);
        s >> u.customer >> u.minutes >> u.tariff;
        return true;
    }

private:
    std::ifstream in_;
    std::mutex m_;
};

class Ledger {
public:
    explicit Ledger(const std::string &audit) : audit_(audit) {}

    void rate(const Usage &u)
    {
        double amount = price(u) * contract_factor(u.customer);
        std::lock_guard<std::mutex> guard(lock_);
        book(u, amount);
    }

    std::map<int, std::int64_t> totals() const { return cents_; }

private:
    // stepped tariff with a discount curve integrated numerically
    static double price(const Usage &u)
    {
        double sum = 0;
        const int steps = 900 * (1 + u.tariff % 3);
        for (int i = 0; i < steps; ++i) {
            double t = u.minutes * (i + 0.5) / steps;
            sum += (0.05 + 0.01 * u.tariff) * std::exp(-t / 400.0) / (1.0 + 0.02 * std::sqrt(t));
        }
        return sum * u.minutes / steps;
    }

    // the contract directory is another machine; its answer takes a while
    static double contract_factor(int customer)
    {
        std::this_thread::sleep_for(std::chrono::microseconds(1500));
        return 1.0 - 0.01 * (customer % 13);
    }

    void book(const Usage &u, double amount)
    {
        cents_[u.customer] += std::llround(amount * 100);
        audit_ << u.customer << ' ' << u.minutes << ' ' << u.tariff << ' ' << amount << '\n';
    }

    std::ofstream audit_;
    std::map<int, std::int64_t> cents_;
    std::mutex lock_;
};

static void worker(Feed &feed, Ledger &ledger)
{
    Usage u;
    while (feed.next(u))
        ledger.rate(u);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        std::cerr << "usage: rate feed threads\n";
        return 2;
    }
    Feed feed(argv[1]);
    Ledger ledger("audit.log");
    std::vector<std::thread> pool;
    for (int i = 0; i < std::atoi(argv[2]); ++i)
        pool.emplace_back(worker, std::ref(feed), std::ref(ledger));
    for (auto &t : pool) t.join();

    std::int64_t total = 0, check = 0;
    auto totals = ledger.totals();
    std::ofstream out("ledger.txt");
    for (auto &[customer, cents] : totals) {
        out << customer << ' ' << cents << '\n';
        total += cents;
        check = (check * 31 + customer * 7 + cents) % 1000000007;
    }
    std::cout << totals.size() << " customers, total " << total << " cents, check " << check << "\n";
}
