/* Eight writes of 4096 bytes, a sync, four reads of 2048 bytes and a read of a
 * closed descriptor, in flight together: through a library or by system calls. */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <libaio.h>
#include <liburing.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WRITES = 8, READS = 4, REQUESTS = WRITES + READS + 1, BYTES = 4096, CLOSED = 999 };

static char data[REQUESTS][BYTES];
static int fd;

static void check(int is_right, int line)
{
    if (!is_right)
        _exit(line & 0x7f);
}
#define CHECK(is_right) check(is_right, __LINE__)

/* --- libaio ---------------------------------------------------------------------- */

static void prepare(struct iocb *request, int at)
{
    if (at < WRITES)
        io_prep_pwrite(request, fd, data[at], BYTES, (long long)at * BYTES);
    else
        io_prep_pread(request, at < WRITES + READS ? fd : CLOSED, data[at], BYTES / 2,
                      (long long)(at - WRITES) * BYTES);
}

static void linux_aio(int is_raw)
{
    io_context_t context = 0;
    struct iocb requests[REQUESTS], *list[REQUESTS];
    struct io_event events[REQUESTS];
    CHECK(io_setup(REQUESTS, &context) == 0);
    for (int at = 0; at < REQUESTS; at++) {
        prepare(&requests[at], at);
        list[at] = &requests[at];
    }
    long submitted = is_raw ? syscall(SYS_io_submit, context, REQUESTS, list) : io_submit(context, REQUESTS, list);
    CHECK(submitted == REQUESTS - 1); /* the last one has a bad descriptor */
    long got = is_raw ? syscall(SYS_io_getevents, context, REQUESTS - 1, REQUESTS, events, NULL)
                      : io_getevents(context, REQUESTS - 1, REQUESTS, events, NULL);
    CHECK(got == REQUESTS - 1);
    struct iocb *wild[] = {(struct iocb *)8};
    if (is_raw)
        CHECK(syscall(SYS_io_submit, context, 1, wild) == -1 && errno == EFAULT &&
              syscall(SYS_io_submit, context, 1, (void *)8) == -1 && errno == EFAULT);
    else
        CHECK(io_submit(context, 1, wild) == -EFAULT && io_submit(context, 1, (void *)8) == -EFAULT);
    CHECK(io_destroy(context) == 0);
}

/* --- io_uring -------------------------------------------------------------------- */

static void fill(struct io_uring_sqe *entry, int at)
{
    memset(entry, 0, sizeof *entry);
    if (at < WRITES)
        io_uring_prep_write(entry, fd, data[at], BYTES, (unsigned)at * BYTES);
    else
        io_uring_prep_read(entry, at < WRITES + READS ? fd : CLOSED, data[at], BYTES / 2,
                           (unsigned)(at - WRITES) * BYTES);
    entry->user_data = (unsigned)at / 2; /* a mark may come twice */
}

static void library_ring(void)
{
    struct io_uring ring;
    struct io_uring_cqe *found;
    int done = 0, failed = 0;
    CHECK(io_uring_queue_init(16, &ring, 0) == 0);
    for (int at = 0; at < REQUESTS; at++)
        fill(io_uring_get_sqe(&ring), at);
    CHECK(io_uring_submit(&ring) == REQUESTS);
    for (int at = 0; at < REQUESTS; at++) {
        CHECK(io_uring_wait_cqe(&ring, &found) == 0);
        done += found->res > 0 ? found->res : 0;
        failed += found->res < 0;
        io_uring_cqe_seen(&ring, found);
    }
    CHECK(done == WRITES * BYTES + READS * BYTES / 2 && failed == 1);
    struct io_uring_sqe *sync = io_uring_get_sqe(&ring);
    io_uring_prep_fsync(sync, fd, IORING_FSYNC_DATASYNC);
    CHECK(io_uring_submit_and_wait(&ring, 1) == 1);
    io_uring_queue_exit(&ring);
}

/* An opening and a vector at addresses that nobody has, then a real opening and close. */
static void garbage(void)
{
    struct io_uring ring;
    struct io_uring_cqe *found;
    CHECK(io_uring_queue_init(8, &ring, 0) == 0);
    io_uring_prep_openat(io_uring_get_sqe(&ring), AT_FDCWD, (const char *)8, O_RDONLY, 0);
    io_uring_prep_readv(io_uring_get_sqe(&ring), fd, (const struct iovec *)8, 3, 0);
    io_uring_prep_statx(io_uring_get_sqe(&ring), AT_FDCWD, (const char *)8, 0, 0, (struct statx *)8);
    CHECK(io_uring_submit(&ring) >= 1);
    for (int at = 0; at < 3; at++) {
        CHECK(io_uring_wait_cqe(&ring, &found) == 0 && found->res == -EFAULT);
        io_uring_cqe_seen(&ring, found);
        io_uring_submit(&ring);
    }
    io_uring_prep_openat(io_uring_get_sqe(&ring), AT_FDCWD, "/proc/self/maps", O_RDONLY, 0);
    CHECK(io_uring_submit(&ring) == 1 && io_uring_wait_cqe(&ring, &found) == 0 && found->res >= 0);
    int opened = found->res;
    io_uring_cqe_seen(&ring, found);
    CHECK(read(opened, data, 10) == 10);
    io_uring_prep_close(io_uring_get_sqe(&ring), opened);
    CHECK(io_uring_submit_and_wait(&ring, 1) == 1);
    io_uring_queue_exit(&ring);
}

static void raw_ring(int is_hidden)
{
    struct io_uring_params p = {0};
    int ring = (int)syscall(SYS_io_uring_setup, 16, &p);
    CHECK(ring >= 0);
    size_t bytes = p.sq_off.array + p.sq_entries * 4 + p.cq_off.cqes + p.cq_entries * 16;
    char *rings = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
    struct io_uring_sqe *entries =
        mmap(NULL, p.sq_entries * 64, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
    CHECK(rings != MAP_FAILED && (void *)entries != MAP_FAILED && p.features & IORING_FEAT_SINGLE_MMAP);
    unsigned *tail = (unsigned *)(rings + p.sq_off.tail), *array = (unsigned *)(rings + p.sq_off.array);
    for (int at = 0; at < REQUESTS; at++) {
        fill(&entries[at], at);
        array[at] = (unsigned)at;
    }
    __atomic_store_n(tail, REQUESTS, __ATOMIC_RELEASE);
    long taken;
    if (is_hidden) { /* a system call that no hook sees */
#if defined(__x86_64__)
        register long r10 __asm__("r10") = IORING_ENTER_GETEVENTS, r8 __asm__("r8") = 0, r9 __asm__("r9") = 0;
        __asm__ volatile("syscall"
                         : "=a"(taken)
                         : "a"((long)SYS_io_uring_enter), "D"((long)ring), "S"((long)REQUESTS), "d"((long)REQUESTS),
                           "r"(r10), "r"(r8), "r"(r9)
                         : "rcx", "r11", "memory");
#else
        taken = REQUESTS;
        _exit(0);
#endif
    } else {
        taken = syscall(SYS_io_uring_enter, ring, REQUESTS, REQUESTS, IORING_ENTER_GETEVENTS, NULL, 0);
    }
    CHECK(taken == REQUESTS);
    unsigned completed = *(unsigned *)(rings + p.cq_off.tail);
    CHECK(completed == REQUESTS);
    CHECK(munmap(rings, bytes) == 0);
    if (is_hidden == 2)
        return; /* the end of the process closes it */
    CHECK(close(ring) == 0);
    CHECK(fcntl(ring, F_GETFD) == -1);
}

/* --- POSIX ----------------------------------------------------------------------- */

static void posix_aio(void)
{
    struct aiocb requests[REQUESTS] = {0}, *list[REQUESTS];
    for (int at = 0; at < REQUESTS; at++) {
        requests[at].aio_fildes = at < WRITES + READS ? fd : CLOSED;
        requests[at].aio_buf = data[at];
        requests[at].aio_nbytes = at < WRITES ? BYTES : BYTES / 2;
        requests[at].aio_offset = (at < WRITES ? at : at - WRITES) * BYTES;
        requests[at].aio_lio_opcode = at < WRITES ? LIO_WRITE : LIO_READ;
        list[at] = &requests[at];
    }
    CHECK(lio_listio(LIO_WAIT, list, WRITES, NULL) == 0);
    for (int at = 0; at < WRITES; at++)
        CHECK(aio_return(&requests[at]) == BYTES);
    for (int at = WRITES; at < REQUESTS; at++) {
        const struct aiocb *one[] = {&requests[at]};
        CHECK(aio_read(&requests[at]) == 0);
        while (aio_error(&requests[at]) == EINPROGRESS)
            aio_suspend(one, 1, NULL);
        CHECK(aio_return(&requests[at]) == (at < REQUESTS - 1 ? BYTES / 2 : -1));
    }
    struct aiocb sync = {.aio_fildes = fd};
    const struct aiocb *one[] = {&sync};
    CHECK(aio_fsync(O_SYNC, &sync) == 0 && aio_suspend(one, 1, NULL) == 0 && aio_return(&sync) == 0);
}

int main(int argc, char **argv)
{
    CHECK(argc == 3);
    fd = open(argv[2], O_RDWR | O_CREAT, 0600);
    CHECK(ftruncate(fd, WRITES * BYTES) == 0); /* reads may come before the writes */
    if (strcmp(argv[1], "aio") == 0)
        linux_aio(0);
    else if (strcmp(argv[1], "raw_aio") == 0)
        linux_aio(1);
    else if (strcmp(argv[1], "ring") == 0)
        library_ring();
    else if (strcmp(argv[1], "raw_ring") == 0)
        raw_ring(0);
    else if (strcmp(argv[1], "garbage") == 0)
        garbage();
    else if (strcmp(argv[1], "posix") == 0)
        posix_aio();
    else if (strcmp(argv[1], "hidden_ring") == 0)
        raw_ring(1);
    else if (strcmp(argv[1], "open_ring") == 0)
        raw_ring(2);
    return 0;
}
