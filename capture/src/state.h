/* State of the recorder: process, thread, window. Hooks see core.h only. */
#ifndef DIYA_STATE_H
#define DIYA_STATE_H

#include "base.h"

/* --- process: memory that is zero again in a forked child ----------------- */

/* A free block of a mapped window that an ended thread left. */
struct diya_free_block {
    uint32_t state; /* enum diya_free_block_state */
    uint32_t bytes;
    uint8_t *start;
};
enum diya_free_block_state { DIYA_FREE_BLOCK_EMPTY = 0, DIYA_FREE_BLOCK_CHANGING = 1, DIYA_FREE_BLOCK_READY = 2 };
#define DIYA_FREE_BLOCKS 32u
#define DIYA_MODULES 1024u
struct diya_module {       /* an executable mapping */
    uint64_t start, bytes; /* 0 bytes: free */
    uint64_t key;          /* hash of its path and place; 0: no mapping */
    uint32_t round;        /* of reading, in which it was last seen */
};

#define DIYA_SAMPLERS 64u
#define DIYA_OWN_WORK 256u
/* When the recorder worked with functions that the program uses, too. */
struct diya_own_work {
    uint64_t from_ns, to_ns; /* monotonic */
};

struct diya_sampler { /* one thread's samples of the processor, see samples.c */
    uint32_t state, tid;
    struct diya_perf_ring *ring;
    uint32_t seen, kept, halvings;
    uint32_t own_count;
    struct diya_own_work *own; /* of its thread */
};

struct diya_file_entry {
    uint64_t key; /* hash of name, parent and kind; 0: free */
    uint32_t file;
    uint32_t reserved;
};
#define DIYA_FIRST_FILES 4096u /* places of the first table */
struct diya_file_facts {
    uint32_t alignment_bytes; /* st_blksize, 0: not known */
    uint8_t kind;             /* enum diya_name_kind */
    uint8_t is_known;         /* kind comes from the file system */
    uint8_t content;          /* enum diya_content_seen */
    uint8_t content_looks;    /* buffers looked into */
};
struct diya_handle_entry {
    uint64_t key; /* hash of kind and handle; 0: free, 1: free again */
    uint64_t value;
};
struct diya_description { /* an open file description, that dup'd descriptors share; or a FILE */
    int64_t position;     /* of a FILE: -1 if not known */
    uint32_t flags;       /* enum diya_description_flag */
    uint32_t descriptors;
    uint32_t next_free;    /* in use, of a FILE: diya_streams_epoch when its descriptor was looked at */
    uint32_t epoch;        /* of forks, when it was opened */
    uint32_t file;         /* of a FILE */
    uint32_t behind;       /* of a FILE: description of its descriptor then */
    const char *edge;      /* of a FILE: where its buffer for writing ended after the last recorded call, or NULL */
    int64_t edge_position; /* and its position there */
};

struct diya_process {
    /* What every call looks at, in one line of the cache. */
    uint64_t generation; /* 0: a forked child that has not recorded yet */
    uint64_t *fds;       /* file << 32 | description */
    struct diya_description *descriptions;
    struct diya_file_facts *file_facts;
    uint32_t fd_limit, description_limit;
    uint32_t fork_epoch;
    uint32_t first_tid, is_threaded; /* a second thread has made a call */

    uint32_t starting; /* 1: a thread is setting this up */
    uint32_t pid;
    uint32_t refreshes;       /* of the clock point */
    uint32_t refresh_lock;    /* thread that holds it */
    uint32_t directory_epoch; /* counts chdir */
    uint32_t shells;          /* of system and popen, so far */
    uint32_t has_spare;       /* a part of the segment was mapped beforehand */
    uint32_t is_restricted;   /* no more windows: a seccomp filter is in force */
    uint32_t files;
    uint32_t stacks;
    uint64_t segment_bytes;               /* where the next window goes */
    uint64_t retry_calls;                 /* failed attempts to make the segment */
    uint64_t passed_calls;                /* of all threads, at their clock points and ends */
    uint64_t folder_device, folder_inode; /* of the segment */
    uint32_t was_removed;                 /* the segment, with what it held: no more windows */
    struct diya_segment_header *header;
    char segment_path[1536];
    struct diya_heatmap *heatmaps[16];
    uint32_t heatmap_lock;      /* thread that holds it */
    uint64_t free_descriptions; /* count << 32 | index: a stack of indices */
    uint32_t used_descriptions;
    uint32_t module_lock; /* thread that holds it */
    uint32_t modules;
    uint32_t module_rounds, module_unloads; /* how often they were read, and after how many dlclose */
    struct diya_module *module_table;
    uint32_t frames;
    uint32_t has_no_samples; /* the system does not permit them */
    struct diya_free_block free_blocks[DIYA_FREE_BLOCKS];
    struct diya_sampler samplers[DIYA_SAMPLERS];
    /* tables, in the same memory */
    uint32_t file_mask, handle_mask, stack_mask;
    struct diya_file_entry *file_table;
    struct diya_handle_entry *handles;
    uint64_t *stack_table;
};
extern DIYA_HIDDEN struct diya_process *diya_process;

/* --- thread ---------------------------------------------------------------- */

/* Values of diya_tls.generation that are no generation of a process (those
 * are even). */
enum {
    DIYA_GENERATION_NEW = 1,
    DIYA_GENERATION_BUSY = 3, /* inside the recorder */
    DIYA_GENERATION_LATE = 5, /* the thread's state is gone */
    DIYA_GENERATION_PAUSED = 7,
    DIYA_GENERATION_VFORK = 9,  /* after vfork: parent or child, ask */
    DIYA_GENERATION_ENDED = 11, /* the clock may not be read any more */
};

struct diya_slot {
    uint32_t file;
    uint16_t function;
    uint16_t offsets; /* how many offsets it has seen, up to 2 */
    uint32_t depth;
    uint32_t stack;
    int64_t offset, step;
    uint64_t size;
    int64_t done;
};

struct diya_window {
    struct diya_window_header *header; /* NULL: none */
    uint8_t *cursor;
    uint8_t *limit; /* end, less the longest call record */
    uint8_t *end;
};

enum diya_recording {
    DIYA_RECORDING = 1, /* every call */
    DIYA_COUNTING = 2,  /* counters */
};

#define DIYA_NEVER_RETRY UINT32_MAX      /* for retry_in */
#define DIYA_CALLS_PER_CLOCK_POINT 4096u /* for until_clock */

struct diya_tiny_run {              /* the run record that the last tiny call went into */
    const void *stream;             /* NULL: none */
    struct diya_run *record;        /* NULL: it had a record of its own */
    struct diya_counters *counters; /* instead, in the profile mode */
    uint64_t bytes, one_repeat;     /* size of the last call there, and what one like it adds to `repeats` */
    int64_t *position;              /* of the stream, or NULL */
    const void *return_address;     /* NULL: any */
    uint32_t function;
    uint32_t depth;
    uint32_t until_timed; /* calls that may join without being timed */
    uint32_t repeats;     /* calls like it so far, before a run begins */
    uint32_t streams_epoch;
};

#define DIYA_STACK_CACHE 256u
#define DIYA_STACK_WAYS 4u   /* paths that end in the same place with frames of equal size */
#define DIYA_STACK_CHECKS 6u /* outer return addresses that distinguish them */
struct diya_stack_cached {
    const void *return_address;
    uintptr_t frame;
    uint32_t stack, checks;
    uint32_t place[DIYA_STACK_CHECKS]; /* of a return address, in bytes from the hook's frame */
    uint64_t address[DIYA_STACK_CHECKS];
};

#define DIYA_OPEN_REGIONS 64u /* inside each other; deeper ones are not recorded */
struct diya_open_region {
    uint8_t *record; /* its payload, as long as the window of its thread is the same */
    uint64_t key;    /* by which it is ended; 0: as the innermost one */
    struct diya_region region;
};
#define DIYA_KNOWN_NAMES 16u
struct diya_known_name { /* a name that this thread used before */
    const char *place;
    uint32_t name;
    char text[52];
};

#define DIYA_MESSAGE_COUNTS 32u
struct diya_message_counts { /* calls of one function on one communicator that are in no record yet */
    uint32_t function;       /* 0: free */
    uint32_t communicator;
    uint64_t calls, ticks, bytes;
};

#define DIYA_PATH_ROOM 8192u
#define DIYA_KEPT_DESCRIPTIONS 3u

struct diya_thread {
    struct diya_window records;
    uint64_t last_start;
    uint32_t last_slot; /* DIYA_SLOTS: none */
    uint32_t until_clock;
    enum diya_recording recording;
    uint32_t dropped_reason; /* why it is counting, in trace mode */
    struct diya_tiny_run run;
    struct diya_slot slots[DIYA_SLOTS];

    uint32_t tid;
    uint32_t windows;
    uint32_t retry_in;    /* calls until a window is asked for again */
    uint32_t retry_after; /* how long that was the last time */
    uint32_t exit_rounds;

    uint32_t free_description[DIYA_KEPT_DESCRIPTIONS]; /* open file descriptions for the next opened ones */
    uint32_t free_descriptions;

    struct diya_window counter_window;
    struct diya_counters *last_counters;
    struct diya_counters **counter_table; /* by file and layer */
    uint32_t counter_blocks;
    uint32_t counters_failed;

    struct diya_heat_bin { /* where the last transfer went */
        struct diya_heatmap *heatmap;
        uint64_t begin, end;
        uint64_t number; /* of the bin, as long as bins are that wide */
        uint32_t layer;
        uint64_t read, written; /* bytes that are not in the map yet */
        uint32_t calls;         /* that moved them */
    } heat_bin;

    struct diya_sampler *sampler;
    uint64_t samples_due; /* when they are looked at next; UINT64_MAX: never */
    struct diya_own_work own_work[DIYA_OWN_WORK];

    uint32_t region_depth;
    struct diya_open_region open_regions[DIYA_OPEN_REGIONS], step, epoch;
    struct diya_known_name known_names[DIYA_KNOWN_NAMES];

    struct diya_message_counts message_counts[DIYA_MESSAGE_COUNTS];
    uint64_t message_counts_due; /* when they are written next */

    uint32_t cwd_length, cwd_epoch; /* length 0: not asked yet */
    uint32_t dirfd_file, dirfd_length;
    struct diya_stack_cached stack_cache[DIYA_STACK_CACHE];
    uint32_t stack_turn; /* which way of a full set is given up next */
    char cwd[4096];
    char dirfd_path[4096];
    char path[DIYA_PATH_ROOM];
    char scratch[DIYA_PATH_ROOM];
};

static inline __attribute__((always_inline)) uintptr_t diya_stack_end(void)
{
    uintptr_t end;
#if defined(__x86_64__)
    __asm__ volatile("mov %%rsp, %0" : "=r"(end));
#else
    __asm__ volatile("mov %0, sp" : "=r"(end));
#endif
    return end;
}

/* Sections that a signal handler's calls must not enter. */
static inline __attribute__((always_inline)) uint64_t diya_enter(void)
{
    uint64_t generation = diya_tls.generation;
    diya_tls.busy_frame = diya_stack_end();
    diya_tls.generation = DIYA_GENERATION_BUSY;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return generation;
}

static inline void diya_leave(uint64_t generation)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    diya_tls.generation = generation;
}

/* Of the process: no call is recorded any more. */
extern DIYA_HIDDEN const uint64_t diya_ended_generation;

static inline bool diya_has_ended(void)
{
    return diya_generation == &diya_ended_generation || diya_tls.generation == DIYA_GENERATION_ENDED;
}

DIYA_HIDDEN void diya_count_dropped(enum diya_dropped reason, uint64_t calls);
/* Into a new segment: calls lost while there was none to count them in. */
DIYA_HIDDEN void diya_count_pending(struct diya_segment_header *header);

#endif
