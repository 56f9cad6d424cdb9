/* A few spare buffers, each for one size; what is in use has a limit. */
#include "memory.h"
#include "lock.h"

#include "../../capture/src/system.h"

#include <string.h>

enum { SPARES = 8 };
#define MOST_BYTES ((uint64_t)256 << 20)

static struct apply_lock memory_lock;
static struct {
    char *memory;
    uint32_t room;
} spares[SPARES];
static uint64_t memory_bytes;

char *apply_take_memory(uint32_t room)
{
    char *memory = NULL;
    enum apply_locked how = apply_lock(&memory_lock);
    for (unsigned i = 0; i < SPARES && memory == NULL; i++)
        if (spares[i].room == room) {
            memory = spares[i].memory;
            spares[i].room = 0;
        }
    bool is_new = memory == NULL && memory_bytes + room <= MOST_BYTES;
    if (is_new && (memory = sys_memory(room)) != NULL)
        memory_bytes += room;
    apply_unlock(&memory_lock, how);
    return memory;
}

void apply_leave_memory(char *memory, uint32_t room)
{
    enum apply_locked how = apply_lock(&memory_lock);
    unsigned i = 0;
    while (i < SPARES && spares[i].room != 0)
        i++;
    if (i < SPARES) {
        spares[i].memory = memory;
        spares[i].room = room;
    } else {
        memory_bytes -= room;
        sys_unmap(memory, room);
    }
    apply_unlock(&memory_lock, how);
}

void apply_memory_forked(void)
{
    memset(&memory_lock, 0, sizeof memory_lock);
}
