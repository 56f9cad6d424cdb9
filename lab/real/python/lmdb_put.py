"""A durable transaction for each key (lmdb)."""

import lmdb

with lmdb.open("keys.lmdb", map_size=1 << 26) as store:
    for number in range(400):
        with store.begin(write=True) as transaction:
            transaction.put(f"key{number:06}".encode(), b"value" * 40)
