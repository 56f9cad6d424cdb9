/* What is chosen for facts of machines that are not here. */
#include "../src/internal.h"

#include <stdio.h>
#include <string.h>

static int failures;

static void expect(const char *what, struct facts facts, blockio_method method, int aggregators)
{
    struct choice choice;
    facts.buffer_bytes = facts.buffer_bytes > 0 ? facts.buffer_bytes : 4 << 20;
    facts.request_ns = facts.is_local ? 2000 : 500000;
    choose(&facts, &choice);
    if (choice.method != method || (aggregators > 0 && choice.aggregators != aggregators) || choice.note[0] == '\0') {
        printf("%s: method %d with %d ranks: %s\n", what, (int)choice.method, choice.aggregators, choice.note);
        failures++;
    }
}

int main(void)
{
    const int64_t gib = (int64_t)1 << 30;
    expect("one rank",
           (struct facts){
               .ranks = 1, .nodes = 1, .bytes = gib, .end_bytes = gib, .requests = 1 << 20, .rank_requests = 1 << 20},
           BLOCKIO_INDEPENDENT, 1);
    expect("slabs",
           (struct facts){.ranks = 128,
                          .nodes = 4,
                          .bytes = 16 * gib,
                          .end_bytes = 16 * gib,
                          .requests = 128,
                          .rank_requests = 1,
                          .runs = 128},
           BLOCKIO_INDEPENDENT, 0);
    expect("lines of 4 KiB over a network",
           (struct facts){.ranks = 64,
                          .nodes = 2,
                          .bytes = gib,
                          .end_bytes = gib,
                          .requests = 262144,
                          .rank_requests = 4096,
                          .runs = 262144},
           BLOCKIO_GROUPED, 4);
    expect("a small array that many ranks read over a network",
           (struct facts){.ranks = 512,
                          .nodes = 8,
                          .bytes = 65536,
                          .end_bytes = 65536,
                          .requests = 4096,
                          .rank_requests = 8,
                          .runs = 4096},
           BLOCKIO_SERIALIZED, 1);
    expect("10,000 ranks, 16 stripes",
           (struct facts){.is_write = true,
                          .ranks = 10000,
                          .nodes = 80,
                          .stripes = 16,
                          .stripe_bytes = 1 << 20,
                          .bytes = 1024 * gib,
                          .end_bytes = 1024 * gib,
                          .requests = 268435456,
                          .rank_requests = 26844,
                          .runs = 268435456,
                          .rank_bytes = gib / 9},
           BLOCKIO_COLLECTIVE, 16);
    expect("elements on a disk",
           (struct facts){.is_local = true,
                          .ranks = 4,
                          .nodes = 1,
                          .bytes = gib,
                          .end_bytes = gib,
                          .requests = 4 << 20,
                          .rank_requests = 1 << 20,
                          .runs = 4 << 20},
           BLOCKIO_GROUPED, 4);
    expect("nothing", (struct facts){.ranks = 4, .nodes = 1}, BLOCKIO_INDEPENDENT, 0);
    expect("collective with 1 GiB of a rank",
           (struct facts){.ranks = 4,
                          .nodes = 1,
                          .bytes = 4 * gib,
                          .end_bytes = 4 * gib,
                          .rank_bytes = gib,
                          .wanted = BLOCKIO_COLLECTIVE},
           BLOCKIO_GROUPED, 0);
    printf("choices: %d wrong\n", failures);
    return failures > 0;
}
