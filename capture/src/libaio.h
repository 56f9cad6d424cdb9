/* Linux AIO: what the hooks of libaio and of raw system calls share. */
#ifndef DIYA_LIBAIO_H
#define DIYA_LIBAIO_H

#include "core.h"

#include <linux/aio_abi.h>

/* Before io_submit; returns the file if there is one for all requests. Then what the
 * kernel did not take is taken back. */
DIYA_HIDDEN uint32_t libaio_submitting(uint64_t context, long count, struct iocb *const *requests);
DIYA_HIDDEN void libaio_submitted(struct diya_call *call, uint64_t context, long count, struct iocb *const *requests,
                                  uint32_t file, int64_t outcome);
/* After io_getevents and io_pgetevents: number of events, or -errno. */
DIYA_HIDDEN void libaio_waited(struct diya_call *call, uint64_t context, const struct io_event *events,
                               int64_t outcome);
DIYA_HIDDEN void libaio_cancelled(struct diya_call *call, const struct iocb *request, int64_t outcome);
DIYA_HIDDEN void libaio_destroyed(uint64_t context);

#endif
