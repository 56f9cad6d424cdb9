/* Layout of a segment: what one process leaves behind for the collector.
 *
 * A segment is a file that the process maps and writes record by record. It
 * needs no closing: whatever returned before the process was killed is there.
 * All integers are in the byte order of the machine; `endian` says which.
 *
 *   [ header, 8192 bytes ][ window ][ window ] ...
 *
 * A window belongs to one thread and decodes by itself: its prediction state
 * starts empty. Windows start on multiples of 4096 bytes and lie without gaps,
 * except where a process was killed between taking a window and writing its
 * magic; a reader then tries the next multiple of 4096.
 *
 * Inside a window records follow each other. The first byte of a record is its
 * tag and is written last (release order), so a tag of 0 ends the window.
 * Integers in records are LEB128 varints ("v"), signed ones zigzag ("z").
 *
 * This header is all that the library and the readers share. Function numbers
 * are in generated/diya_functions.h. A change of meaning is a new version.
 */
#ifndef DIYA_TRACE_H
#define DIYA_TRACE_H

#include <stdint.h>

#define DIYA_SEGMENT_MAGIC "DIYASEG1" /* 8 bytes, no terminator */
#define DIYA_SEGMENT_VERSION 1u
#define DIYA_SEGMENT_HEADER_BYTES 8192u
#define DIYA_ENDIAN_MARK 0x01020304u
#define DIYA_WINDOW_MAGIC 0x4e495744u /* "DWIN" */
#define DIYA_PAGE 4096u

/* One reading of all clocks, taken together. */
struct diya_clock_point {
    uint64_t ticks;   /* recording clock */
    uint64_t mono_ns; /* CLOCK_MONOTONIC */
    uint64_t real_ns; /* CLOCK_REALTIME, since 1970 */
};

enum diya_clock_kind { DIYA_CLOCK_TSC = 0, DIYA_CLOCK_CNTVCT = 1, DIYA_CLOCK_MONOTONIC = 2 };

enum diya_process_state {
    DIYA_RUNNING = 1, /* still running, or killed */
    DIYA_EXITED = 2,  /* exit(), return from main, _exit, exit_group */
    DIYA_EXECED = 3,  /* became another program; that one has a segment of its own */
    DIYA_SKIPPED = 4, /* became a launcher or another program that is not recorded on purpose */
};

enum diya_mode { DIYA_MODE_TRACE = 1, DIYA_MODE_PROFILE = 2 };

enum diya_mpi_family { DIYA_MPI_NONE = 0, DIYA_MPI_MPICH = 1, DIYA_MPI_OPEN = 2, DIYA_MPI_ABI = 3 };

/* Why calls are missing from the records: index into `dropped`. Those of
 * DROPPED_CAP and DROPPED_SPACE are in the counter windows all the same. */
enum diya_dropped {
    DIYA_DROPPED_CAP = 0,    /* --max-trace reached */
    DIYA_DROPPED_SPACE = 1,  /* the segment directory is full, or a file size limit */
    DIYA_DROPPED_SIGNAL = 2, /* made in a signal handler that interrupted the recorder */
    DIYA_DROPPED_LATE = 3,   /* made by a thread that was ending, its state gone */
    DIYA_DROPPED_FILES = 4,  /* more files than the table holds: recorded without a file */
    DIYA_DROPPED_UNCOUNTED = 5, /* no room even for counters */
    DIYA_DROPPED_FLIGHTS = 6, /* asynchronous requests whose submission or completion was not seen */
    DIYA_DROPPED_FORBIDDEN = 7, /* the program forbade itself the clock: seccomp strict, PR_SET_TSC */
    DIYA_DROPPED_REASONS = 8,
};

/* What the kernel counted for the whole process, all threads: beside it stands
 * what was recorded, and what is missing there was not seen. */
struct diya_witness {
    uint64_t known;                     /* enum diya_witness_known: which of the rest are set */
    uint64_t read_bytes, write_bytes;   /* by any system call, from anything (rchar, wchar) */
    uint64_t read_calls, write_calls;   /* syscr, syscw */
    uint64_t device_read_bytes, device_write_bytes;
    uint64_t own_reads, own_read_bytes; /* made by the recorder, in the above */
    uint64_t own_writes, own_write_bytes;
    uint64_t user_ns, system_ns;        /* processor time */
    uint64_t major_faults, minor_faults;
    uint64_t voluntary_switches, involuntary_switches;
    uint64_t reserved[3];
};
enum diya_witness_known { DIYA_WITNESS_IO = 1, DIYA_WITNESS_USAGE = 2 };

/* Who the process is, beyond its place among the others. Texts are empty and
 * numbers -1 where nothing is known; segments before 0.3 have 0 in `version`. */
struct diya_identity {
    uint32_t version;          /* DIYA_IDENTITY_VERSION */
    uint32_t python_frames;    /* enum diya_python_frames_state */
    char language[16];         /* cpython ...: the interpreter or runtime in the process */
    char language_version[40];
    char launcher[16];         /* who gave `launcher_rank`: slurm, pmi, openmpi, torchrun ... */
    int32_t launcher_size;     /* ranks it started together */
    int32_t local_rank, local_size; /* on this node */
    uint32_t reserved_rank;
    char step_id[64];          /* of these ranks, as the launcher calls them together */
    char container[96];        /* its kind, and its image where that is known */
    uint32_t reserved[64];
};
#define DIYA_IDENTITY_VERSION 1u

/* Whether stacks have the lines of Python. */
enum diya_python_frames_state {
    DIYA_PYTHON_NONE = 0,     /* not asked for, or no interpreter when the process began */
    DIYA_PYTHON_KNOWN = 1,    /* its version is known; no Python code made a call yet */
    DIYA_PYTHON_READ = 2,     /* checked against a running frame, and read */
    DIYA_PYTHON_UNKNOWN = 3,  /* frames of this version are not known */
    DIYA_PYTHON_MISMATCH = 4, /* frames were not where this version has them: another build */
};

/* A forked child whose first call found the folder of segments out of reach: it had
 * become another user, or left for another root folder. It writes this into the header
 * of its parent, which it still has in memory. */
struct diya_unattached {
    uint32_t pid; /* 0: being written */
    uint32_t uid;
    uint64_t ticks;
};
#define DIYA_UNATTACHED 16u

struct diya_segment_header {
    char magic[8];
    uint32_t version;
    uint32_t endian;
    uint32_t header_bytes;
    uint32_t state; /* enum diya_process_state */
    uint32_t mode;  /* enum diya_mode */
    uint32_t clock; /* enum diya_clock_kind */
    uint64_t nominal_hz;            /* ticks per second where the processor says so, else 0 */
    struct diya_clock_point first;  /* when recording began */
    struct diya_clock_point last;   /* refreshed now and then, and at exit */
    uint32_t pid, ppid, uid, gid;
    int32_t mpi_rank, mpi_size;     /* -1: MPI_Init not called (yet) */
    uint32_t mpi_family;            /* enum diya_mpi_family */
    int32_t launcher_rank;          /* rank in the environment the launcher gave, or -1 */
    uint32_t has_stacks;            /* stacks were asked for */
    uint32_t argv_cut;              /* the command line was longer than the room for it */
    uint64_t max_trace_bytes;       /* cap of this segment, 0: none */
    uint64_t dropped[DIYA_DROPPED_REASONS];
    int32_t exit_code;              /* argument of exit/_exit; -1: not known */
    uint32_t process_start;         /* reserved, 0 */
    char host[256];
    char job_id[128];               /* SLURM_JOB_ID, PBS_JOBID, LSB_JOBID ..., or empty */
    char exe[2048];                 /* path of the program */
    char cwd[1024];
    char argv[3072];                /* arguments, separated by 0 bytes, two 0 bytes end */
    struct diya_witness witness_first; /* when recording began */
    struct diya_witness witness_last;  /* refreshed with `last`; segments before 0.2 have 0 here */
    uint64_t unattached;       /* forked children that could not make a segment; segments before 0.3 have 0 here */
    struct diya_unattached unattached_children[DIYA_UNATTACHED]; /* the first of them */
    uint8_t reserved[360];
    struct diya_identity identity; /* at DIYA_IDENTITY_AT */
};
#define DIYA_UNATTACHED_AT 7056u
#define DIYA_IDENTITY_AT 7680u

enum diya_window_kind {
    DIYA_WINDOW_RECORDS = 1,
    DIYA_WINDOW_COUNTERS = 2, /* struct diya_counters, one after the other */
    DIYA_WINDOW_HEATMAP = 3,  /* struct diya_heatmap */
};

struct diya_window_header { /* 64 bytes */
    uint32_t magic;      /* DIYA_WINDOW_MAGIC, written last */
    uint32_t bytes;      /* whole window, this header included; a multiple of 4096 */
    uint32_t kind;       /* enum diya_window_kind */
    uint32_t tid;        /* kernel thread id */
    uint32_t sequence;   /* 0, 1, 2 ... of this thread */
    uint32_t used;       /* bytes used when the window was closed; 0: not closed */
    uint64_t thread;     /* pthread_self() */
    uint64_t base_ticks; /* times of the first record are relative to this */
    uint64_t reserved[3];
};

/* --- call record: odd tag ------------------------------------------------
 *
 *   tag u8
 *   [slot u8]                      unless DIYA_SAME_SLOT
 *     [function v, file v, depth v]  when slot has DIYA_SLOT_NEW set
 *   [offset]                       as the offset mode says
 *   [size v]                       unless DIYA_SAME_SIZE: bytes requested
 *   [result z]                     unless DIYA_ALL_DONE: bytes done, or -errno
 *   [extension u8 ...]             with DIYA_EXTENDED
 *   start z: ticks since the start of the previous call record of this window
 *            (the window's base_ticks for the first)
 *   duration v: ticks
 *
 * A slot remembers (function, file, depth) and the last offset, offset step
 * and size seen in it. There are 64, all empty at the start of a window.
 * A call of depth d was made inside the next record of the same thread with
 * depth d - 1: records are written when calls return, so children come first.
 */
#define DIYA_CALL 0x01u      /* every call record has it */
#define DIYA_SAME_SLOT 0x02u /* slot of the previous call record */
#define DIYA_OFFSET_MASK 0x0cu
#define DIYA_OFFSET_NONE 0x00u        /* the call has no offset */
#define DIYA_OFFSET_EXPLICIT 0x04u    /* z: minus the slot's last offset (0 at first) */
#define DIYA_OFFSET_SAME_STEP 0x08u   /* last offset + last step */
#define DIYA_OFFSET_CONSECUTIVE 0x0cu /* last offset + bytes last done */
#define DIYA_SAME_SIZE 0x10u          /* size as last in this slot (0 at first) */
#define DIYA_ALL_DONE 0x20u           /* done = requested; for calls without data: success */
#define DIYA_SAME_STACK 0x40u         /* stack as last in this slot (0, none, at first); else v after result */
#define DIYA_EXTENDED 0x80u

#define DIYA_SLOTS 64u
#define DIYA_SLOT_NEW 0x80u

/* Extension byte: which of these follow, in this order. */
#define DIYA_EXT_AUX 0x01u        /* v: a number whose meaning the function gives (open flags, ...) */
#define DIYA_EXT_FILE2 0x02u      /* v: second file (rename, link) */
#define DIYA_EXT_COLLECTIVE 0x04u /* made collectively where the function alone does not say so */
#define DIYA_EXT_INDEPENDENT 0x08u

/* --- other records: even tags ---------------------------------------------
 *
 *   tag u8, length v, payload[length]
 */
enum diya_record_tag {
    DIYA_NAME = 0x02,      /* file v, parent v (0: none), kind u8, path bytes */
    DIYA_CLOCK = 0x04,     /* struct diya_clock_point */
    DIYA_STACK = 0x06,     /* stack v, then return addresses u64, innermost first */
    DIYA_MODULE = 0x08,    /* base u64, end u64, file offset u64, build id length u8, build id, path */
    DIYA_ATTRIBUTE = 0x0a, /* file v, key 0, value 0 */
    DIYA_RUN = 0x0c,       /* struct diya_run, updated in place: unaligned */
    DIYA_FRAME = 0x0e,     /* a frame of an interpreter: frame v, line v, file 0, function 0 */
    DIYA_STACK_FRAMES = 0x10, /* stack v, then interpreter frames v, innermost first */
    DIYA_PAD = 0x12,       /* nothing */
    DIYA_STARTED = 0x14,   /* process v (0: not known), reason u8, path of the program that it becomes */
    DIYA_MAPPING = 0x16,   /* struct diya_mapping: when it begins, and anew when it ends */
    DIYA_FAULTS = 0x18,    /* mapping v, then struct diya_fault ... */
    DIYA_PROGRAM_TIME = 0x1a, /* process v, enum diya_program_moment u8, ticks v, [status v] */
    DIYA_SAMPLES = 0x1c,   /* see below */
};

/* Of a program that may leave no recording. */
enum diya_program_moment {
    DIYA_PROGRAM_BEGINS = 0,
    DIYA_PROGRAM_WAITED_FOR = 1, /* its process was found to have ended; status as of waitpid, where it is known */
};

/* The shell of system() or popen(), whose process id is not known: numbers of processes
 * from here on are the recorder's own, each used for one shell of this process. */
#define DIYA_FIRST_SHELL 0x80000000u

/* What speaks against a recording of a program that was started. */
enum diya_start_reason {
    DIYA_START_RECORDABLE = 0,   /* nothing */
    DIYA_START_STATIC = 1,       /* loads no library */
    DIYA_START_ENVIRONMENT = 2,  /* its environment does not name the recorder */
    DIYA_START_ARCHITECTURE = 3, /* of another processor or word size */
    DIYA_START_PRIVILEGED = 4,   /* setuid and the like: the system ignores preloading */
    DIYA_START_SKIPPED = 5,      /* not recorded on purpose */
    DIYA_START_UNKNOWN = 6,      /* the file could not be read */
    DIYA_START_FAILED = 7,       /* takes the record before it back: exec came back */
    DIYA_START_UNREACHABLE = 8,  /* in another root folder or as another user, it cannot reach the recorder */
};

/* A file in memory. Its transfers are page faults, which are no calls. */
struct diya_mapping {
    uint32_t number, file;
    uint64_t bytes;
    int64_t offset;
    uint32_t protection, flags;  /* as mmap has them */
    uint64_t first_ticks, last_ticks; /* last 0: not unmapped */
    uint64_t page_bytes;
    uint64_t touched_pages;      /* in the process's page tables at the end; UINT64_MAX: not known */
    uint64_t resident_pages;     /* in memory at the end, whoever brought them; UINT64_MAX: not known */
    uint64_t major_faults, minor_faults; /* of the whole process meanwhile; UINT64_MAX: not known */
    uint64_t has_faults;         /* 1: the major faults of the thread that mapped it are recorded */
};

struct diya_fault { /* that waited for a device or server */
    uint64_t mono_ns;
    uint64_t offset; /* in the mapping */
};

/* Samples of the processor, of one thread, in its own code (not in the kernel):
 *
 *   thread id v, period v, lost v
 *   then for each sample: CLOCK_MONOTONIC v, less that of the sample before,
 *   address z, less that of the sample before (both 0 at first)
 *
 * Each sample stands for `period` nanoseconds of processor time; 0: the system
 * does not permit samples. `lost` were taken before these and found no room. */

enum diya_name_kind {
    DIYA_NAME_FILE = 0,
    DIYA_NAME_PIPE = 1, /* pipes, sockets, terminals, <STDIN> ...: no file */
    DIYA_NAME_DATASET = 2, /* parent: its file */
    DIYA_NAME_ATTRIBUTE = 3,
    DIYA_NAME_VARIABLE = 4,
    DIYA_NAME_SUFFIX = 5, /* only a part of the path is known */
    DIYA_NAME_DIRECTORY = 6,
};

/* Tiny calls of one function on one file with nothing between them (fputc):
 * count, bytes and the span of time, not each by itself. */
struct diya_run {
    uint32_t function;
    uint32_t file;
    uint32_t depth;
    uint32_t stack;
    uint64_t first_ticks; /* start of the first call */
    uint64_t last_ticks;  /* end of the last call whose time was taken */
    uint64_t busy_ticks;  /* spent inside the calls, as far as their time was taken */
    uint64_t calls;
    uint64_t timed_calls; /* calls in busy_ticks */
    uint64_t bytes;       /* done */
    int64_t offset;       /* of the first byte; -1: not known */
};

/* --- counters: profile mode, and trace mode once the cap is reached --------- */

/* Darshan's: up to 100 B, 1 KiB, 10 KiB, 100 KiB, 1 MiB, 4 MiB, 10 MiB,
 * 100 MiB, 1 GiB, more; a request of exactly the edge is in the lower bin. */
#define DIYA_SIZE_BINS 10u
#define DIYA_OPS 40u       /* enum diya_op of generated/diya_functions.h */
#define DIYA_COMMON 16u

/* One thread's calls on one file in one layer. `magic` is written last. */
struct diya_counters {
    uint32_t magic; /* DIYA_COUNTERS_MAGIC */
    uint32_t file;
    uint32_t layer;    /* enum diya_layer */
    uint32_t function_bits; /* reserved, 0 */
    uint64_t calls[DIYA_OPS];   /* per operation */
    uint64_t ticks[DIYA_OPS];   /* time in them */
    uint64_t failed[DIYA_OPS];
    uint64_t first_ticks[DIYA_OPS]; /* start of the first, 0: none */
    uint64_t last_ticks[DIYA_OPS];  /* end of the last */
    uint64_t bytes_read, bytes_written;
    int64_t max_byte_read, max_byte_written; /* highest offset, -1: none */
    uint64_t consecutive_reads, consecutive_writes;
    uint64_t sequential_reads, sequential_writes;
    uint64_t rw_switches;
    uint64_t unaligned_file, unaligned_memory;
    uint64_t size_read[DIYA_SIZE_BINS], size_write[DIYA_SIZE_BINS];
    uint64_t collective_reads, collective_writes, split_reads, split_writes;
    uint64_t nonblocking_reads, nonblocking_writes, collective_opens;
    uint64_t max_read_ticks, max_read_size, max_write_ticks, max_write_size;
    struct { uint64_t size, calls; } common_size[DIYA_COMMON];
    struct { int64_t stride; uint64_t calls; } common_stride[DIYA_COMMON];
    /* of the recorder, to go on counting */
    int64_t last_byte_read, last_byte_written, reserved;
    uint32_t last_op, open_flags;
};
#define DIYA_COUNTERS_MAGIC 0x54434e44u /* "DNCT" */

/* Bytes over time, as Darshan's: when time runs past the last bin, bins are
 * joined in pairs and become twice as wide. One per process and layer. */
#define DIYA_HEATMAP_BINS 200u
struct diya_heatmap {
    uint32_t magic; /* DIYA_HEATMAP_MAGIC */
    uint32_t layer;
    uint64_t bin_ticks;
    uint64_t start_ticks;
    uint64_t read[DIYA_HEATMAP_BINS];
    uint64_t written[DIYA_HEATMAP_BINS];
};
#define DIYA_HEATMAP_MAGIC 0x50414548u /* "HEAP" */

#endif
