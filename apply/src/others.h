/* Who else in the process could see a file: other descriptors and mappings of it. */
#ifndef APPLY_OTHERS_H
#define APPLY_OTHERS_H

#include "descriptors.h"

/* Its device and inode are known. Another one of the same file gathers no more, too. */
APPLY_HIDDEN bool apply_has_other(const struct apply_descriptor *own);
APPLY_HIDDEN bool apply_is_mapped(const struct apply_descriptor *own);
/* The program maps the file. */
APPLY_HIDDEN void apply_watch_mapped(int fd, int protection, int flags);
/* The process gets descriptors that it did not open. */
APPLY_HIDDEN void apply_watch_received(void);
/* MPI starts: its shared memory is its own matter, since its calls are hooked. */
APPLY_HIDDEN void apply_watch_mpi(void);
APPLY_HIDDEN bool apply_has_mpi(void);
/* Memory that other processes read, outside of MPI: they can learn of a write unseen. */
APPLY_HIDDEN bool apply_shares_memory(void);

#endif
