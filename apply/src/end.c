/* Order at the end of a process, at exec and at fork: first what was gathered, then streams, then the
 * account. */
#include "end.h"
#include "account.h"
#include "child.h"
#include "streams.h"

#include "../../capture/src/system.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

/* A child of vfork has its parent's memory: what is counted there is the parent's. */
static uint32_t own_pid;

void apply_process_changes(void)
{
    int saved_errno = errno;
    apply_flush_all();
    apply_settle_streams();
    if (sys_pid() == own_pid)
        apply_tell();
    errno = saved_errno;
}

void apply_process_ends(void)
{
    int saved_errno = errno;
    if (sys_pid() == own_pid) {
        apply_stop();
        apply_settle_streams_at_end();
        apply_tell();
    }
    errno = saved_errno;
}

void apply_child_starts(void)
{
    int saved_errno = errno;
    apply_flush_all();
    apply_settle_streams();
    apply_positions_shared();
    errno = saved_errno;
}

/* After a fork, two processes share the descriptors, and either may write. */
static void before_fork(void)
{
    apply_child_starts();
    apply_drop_all();
}

static void in_child(void)
{
    own_pid = sys_pid();
    apply_watch_forked();
    apply_forget_gathered();
    apply_streams_forked();
    apply_forget();
}

/* Early, so that handlers of the program run before ours at a fork. */
__attribute__((constructor(103))) static void start(void)
{
    own_pid = sys_pid();
    pthread_atfork(before_fork, NULL, in_child);
}

/* Later destructors may write: from here on nothing is gathered. The C library issues the
 * buffers of streams after this. */
__attribute__((destructor)) static void stop(void)
{
    if (sys_pid() != own_pid)
        return;
    apply_stop();
    apply_tell();
}
