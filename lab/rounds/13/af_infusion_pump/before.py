"""Target-controlled propofol infusion, three-compartment model (Marsh).

A nurse station keeps the orders in orders.txt, one per line:
    <minute> <target plasma concentration, ug/ml>
The controller follows the orders while the case runs.
"""
import sys

ORDERS = "orders.txt"
RECORD = "case_record.csv"
WEIGHT = 72.0                      # kg
V1 = 0.228 * WEIGHT                # l
K10, K12, K13, K21, K31 = 0.119, 0.112, 0.042, 0.055, 0.0033   # 1/min
KE0 = 0.26
PUMP_MAX = 1200.0 / 60.0 * 10.0    # mg/min
DT = 1.0 / 60.0                    # min
LOOK = 1                           # steps from one look at the orders to the next


def write_default_orders():
    plan = [(0, 4.0), (6, 3.2), (25, 2.8), (48, 3.6), (75, 2.5), (110, 3.0), (150, 2.0), (400, 2.4),
            (520, 1.8), (900, 2.2), (1440, 1.6), (2000, 0.0)]
    with open(ORDERS, "w") as f:
        f.write("# minute target\n")
        for minute, target in plan:
            f.write(f"{minute} {target}\n")


def read_orders():
    with open(ORDERS) as f:
        return f.read()


def parse_orders(text):
    orders = []
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            minute, target = line.split()
            orders.append((float(minute), float(target)))
    return sorted(orders)


def current_target(orders, minute):
    target = 0.0
    for start, value in orders:
        if start > minute:
            break
        target = value
    return target


def pump_rate(c1, c2, c3, target):
    """Rate (mg/min) that brings the plasma to the target within one step."""
    want = (target - c1) / DT + (K10 + K12 + K13) * c1 - K21 * c2 - K31 * c3
    return min(max(want * V1, 0.0), PUMP_MAX)


def step(c1, c2, c3, ce, rate):
    d1 = rate / V1 - (K10 + K12 + K13) * c1 + K21 * c2 + K31 * c3
    d2 = K12 * c1 - K21 * c2
    d3 = K13 * c1 - K31 * c3
    de = KE0 * (c1 - ce)
    return c1 + DT * d1, c2 + DT * d2, c3 + DT * d3, ce + DT * de


def run_case(minutes):
    c1 = c2 = c3 = ce = dose = 0.0
    text, orders = None, []
    rows = []
    for k in range(int(minutes / DT)):
        minute = k * DT
        if k % LOOK == 0:
            new = read_orders()
            if new != text:
                text, orders = new, parse_orders(new)
        rate = pump_rate(c1, c2, c3, current_target(orders, minute))
        c1, c2, c3, ce = step(c1, c2, c3, ce, rate)
        dose += rate * DT
        if k % 60 == 0:
            rows.append(f"{minute:.1f},{rate:.4f},{c1:.5f},{ce:.5f},{dose:.3f}\n")
    return rows, dose, ce


def save_record(rows):
    with open(RECORD, "w") as f:
        f.write("minute,rate,plasma,effect,dose\n")
        f.writelines(rows)


def main():
    write_default_orders()
    rows, dose, ce = run_case(float(sys.argv[1]))
    save_record(rows)
    print(f"total dose {dose:.2f} mg, effect site at end {ce:.5f} ug/ml, {len(rows)} rows")


if __name__ == "__main__":
    main()
