"""Zero-intelligence traders in a continuous double auction (Gode & Sunder).

A pipeline of small functions: draw traders -> orders -> match -> tape.
The tape is shared with the students' plotting scripts, hence the lock file.
"""
import fcntl
import heapq
import random
import statistics
import struct
import sys
from contextlib import contextmanager

N_ORDERS = int(sys.argv[1]) if len(sys.argv) > 1 else 200000
VALUE_RANGE = (60.0, 140.0)
COST_RANGE = (40.0, 120.0)
TICK = struct.Struct("<Iddb")


@contextmanager
def tape_lock(lock):
    fcntl.lockf(lock, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.lockf(lock, fcntl.LOCK_UN)


def put_on_tape(tape, number, price, other, side):
    tape.write(TICK.pack(number, price, other, side))


def draw_orders(rng, count):
    """Orders of traders who only avoid losses"""
    for number in range(count):
        if rng.random() < 0.5:
            value = rng.uniform(*VALUE_RANGE)
            yield number, 1, rng.uniform(VALUE_RANGE[0] / 2, value), value
        else:
            cost = rng.uniform(*COST_RANGE)
            yield number, -1, rng.uniform(cost, COST_RANGE[1] * 1.5), cost


def match(bids, asks, side, price, limit):
    """Price of the trade and both surpluses, or None if the order must wait"""
    if side > 0:
        if asks and asks[0][0] <= price:
            ask, cost = heapq.heappop(asks)
            return ask, limit - ask, ask - cost
        heapq.heappush(bids, (-price, limit))
    else:
        if bids and -bids[0][0] >= price:
            bid, value = heapq.heappop(bids)
            return -bid, value + bid, -bid - limit
        heapq.heappush(asks, (price, limit))
    return None


def session(rng, tape):
    bids, asks, prices = [], [], []
    surplus = 0.0
    for number, side, price, limit in draw_orders(rng, N_ORDERS):
        deal = match(bids, asks, side, price, limit)
        if deal is None:
            put_on_tape(tape, number, price, limit, side)
        else:
            put_on_tape(tape, number, deal[0], price, 2 * side)
            prices.append(deal[0])
            surplus += deal[1] + deal[2]
        if number % 5000 == 4999:       # end of a trading day: the books are cleared
            bids.clear()
            asks.clear()
    return prices, surplus


def report(prices, surplus):
    print("trades %d  mean price %.4f  sd %.4f  surplus %.2f" % (
        len(prices), statistics.fmean(prices), statistics.pstdev(prices), surplus))


def main():
    rng = random.Random(1993)
    with open("tape.lock", "w") as lock, open("tape.bin", "wb") as tape:
        with tape_lock(lock):
            prices, surplus = session(rng, tape)
            tape.flush()
    report(prices, surplus)


if __name__ == "__main__":
    main()
