/* Children of vfork have our memory and other descriptors: told by the number of the process. */
#include "child.h"

#include "../../capture/src/system.h"

static bool had_vfork;
static uint32_t own_pid;

__attribute__((constructor(102))) void apply_watch_forked(void)
{
    own_pid = sys_pid();
}

void apply_watch_shared_memory_child(void)
{
    __atomic_store_n(&had_vfork, true, __ATOMIC_RELEASE);
}

bool apply_is_child_in_our_memory(void)
{
    return __builtin_expect(__atomic_load_n(&had_vfork, __ATOMIC_ACQUIRE), 0) && sys_pid() != own_pid;
}
