/* Heat map of the profile mode: bytes over time, one for each layer.
 *
 * As Darshan's: 200 bins that start at 0.1 s and double in width when time runs
 * past the last; a transfer is spread over the bins it took (darshan-heatmap.c
 * of 3.4).
 */
#include "heatmap.h"
#include "segment.h"
#include "state.h"

#include <string.h>

#define NEEDED_BYTES (sizeof(struct diya_window_header) + sizeof(struct diya_heatmap))
#define WINDOW_BYTES ((NEEDED_BYTES + DIYA_PAGE - 1) / DIYA_PAGE * DIYA_PAGE)

/* A tenth of a second. Where the speed of the processor's counter is unknown, it is
 * measured over the time since the segment began. */
static uint64_t first_bin_ticks(void)
{
    const struct diya_segment_header *header = diya_process->header;
    if (header->nominal_hz != 0)
        return header->nominal_hz / 10;
    struct diya_clock_point now = diya_clock_point();
    uint64_t elapsed_ns = now.mono_ns - header->first.mono_ns;
    if (elapsed_ns < 1000)
        return 250000000;
    return (uint64_t)((double)(now.ticks - header->first.ticks) / (double)elapsed_ns * 1e8);
}

static struct diya_heatmap *new_heatmap(struct diya_thread *thread, enum diya_layer layer)
{
    struct diya_window window;
    if (diya_window_take(thread, &window, DIYA_WINDOW_HEATMAP, (uint32_t)WINDOW_BYTES) != DIYA_WINDOW_TAKEN)
        return NULL;
    struct diya_heatmap *heatmap = (struct diya_heatmap *)window.cursor;
    heatmap->layer = layer;
    heatmap->bin_ticks = first_bin_ticks();
    heatmap->start_ticks = diya_process->header->first.ticks;
    __atomic_store_n(&heatmap->magic, DIYA_HEATMAP_MAGIC, __ATOMIC_RELEASE);
    return heatmap;
}

/* Bins are read and written under the lock only. No thread waits for it: a thread
 * that does not get it keeps its bytes, and puts them in with the next ones. */
static bool take_lock(const struct diya_thread *thread)
{
    uint32_t no_owner = 0;
    return __atomic_compare_exchange_n(&diya_process->heatmap_lock, &no_owner, thread->tid, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

/* It is held for less than a microsecond. */
static bool take_lock_soon(const struct diya_thread *thread)
{
    for (int attempt = 0; attempt < 64; attempt++)
        if (take_lock(thread))
            return true;
    return false;
}

static void leave_lock(void)
{
    __atomic_store_n(&diya_process->heatmap_lock, 0, __ATOMIC_RELEASE);
}

static struct diya_heatmap *heatmap_of(struct diya_thread *thread, enum diya_layer layer)
{
    struct diya_heatmap *heatmap = __atomic_load_n(&diya_process->heatmaps[layer], __ATOMIC_ACQUIRE);
    if (heatmap != NULL || !take_lock(thread))
        return heatmap;
    heatmap = diya_process->heatmaps[layer];
    if (heatmap == NULL) {
        heatmap = new_heatmap(thread, layer);
        __atomic_store_n(&diya_process->heatmaps[layer], heatmap, __ATOMIC_RELEASE);
    }
    leave_lock();
    return heatmap;
}

/* --- under the lock ------------------------------------------------------------ */

static void join_pairs(uint64_t *bins)
{
    for (unsigned i = 0; i < DIYA_HEATMAP_BINS / 2; i++)
        bins[i] = bins[2 * i] + bins[2 * i + 1];
    memset(bins + DIYA_HEATMAP_BINS / 2, 0, DIYA_HEATMAP_BINS / 2 * sizeof *bins);
}

static uint64_t bin_ticks_of(const struct diya_heatmap *heatmap)
{
    return __atomic_load_n(&heatmap->bin_ticks, __ATOMIC_RELAXED);
}

static void widen_to(struct diya_heatmap *heatmap, uint64_t end)
{
    uint64_t ticks = bin_ticks_of(heatmap);
    for (; (end - heatmap->start_ticks) / ticks >= DIYA_HEATMAP_BINS; ticks *= 2) {
        join_pairs(heatmap->read);
        join_pairs(heatmap->written);
    }
    __atomic_store_n(&heatmap->bin_ticks, ticks, __ATOMIC_RELAXED);
}

static void keep_bin(struct diya_heat_bin *bin, struct diya_heatmap *heatmap, uint64_t number)
{
    uint64_t ticks = bin_ticks_of(heatmap);
    bin->heatmap = heatmap;
    bin->layer = heatmap->layer;
    bin->number = number;
    bin->begin = heatmap->start_ticks + number * ticks;
    bin->end = bin->begin + ticks;
}

/* Divisions take as long as the rest of a call: only where bins were widened. */
static void put_in(struct diya_heat_bin *bin)
{
    struct diya_heatmap *heatmap = bin->heatmap;
    if (bin->end - bin->begin != bin_ticks_of(heatmap)) {
        widen_to(heatmap, bin->begin);
        keep_bin(bin, heatmap, (bin->begin - heatmap->start_ticks) / bin_ticks_of(heatmap));
    }
    heatmap->read[bin->number] += bin->read;
    heatmap->written[bin->number] += bin->written;
    bin->read = bin->written = 0;
    bin->calls = 0;
}

/* Over the bins it took. Returns the last. */
static uint64_t spread(struct diya_heatmap *heatmap, bool is_write, uint64_t bytes, uint64_t start, uint64_t end)
{
    uint64_t *bins = is_write ? heatmap->written : heatmap->read;
    uint64_t ticks = bin_ticks_of(heatmap);
    uint64_t from = start > heatmap->start_ticks ? start - heatmap->start_ticks : 0;
    uint64_t to = end > heatmap->start_ticks ? end - heatmap->start_ticks : 0;
    uint64_t first = from / ticks, last = to / ticks;
    uint64_t left = bytes;
    for (uint64_t bin = first; bin < last; bin++) {
        uint64_t begins = bin * ticks > from ? bin * ticks : from;
        double part = (double)((bin + 1) * ticks - begins) / (double)(to - from);
        uint64_t share = (uint64_t)((double)bytes * part);
        share = share < left ? share : left;
        bins[bin] += share;
        left -= share;
    }
    bins[last] += left;
    return last;
}

/* --- a transfer ------------------------------------------------------------------ */

/* At the end of a thread or process. */
void diya_heat_flush(struct diya_thread *thread)
{
    if (thread->heat_bin.calls > 0 && take_lock_soon(thread)) {
        put_in(&thread->heat_bin);
        leave_lock();
    }
}

/* Leaves them to a later call while another thread is at it. */
void diya_heat_put(struct diya_thread *thread)
{
    if (take_lock(thread)) {
        put_in(&thread->heat_bin);
        leave_lock();
    }
}

void diya_heat_elsewhere(struct diya_thread *thread, enum diya_layer layer, bool is_write, uint64_t bytes,
                         uint64_t start, uint64_t end)
{
    struct diya_heat_bin *kept = &thread->heat_bin;
    struct diya_heatmap *heatmap = heatmap_of(thread, layer);
    if (heatmap == NULL)
        return;
    if (!take_lock_soon(thread)) {
        if (kept->heatmap == heatmap) { /* in the bin of the one before: not far off */
            *(is_write ? &kept->written : &kept->read) += bytes;
            kept->calls++;
        }
        return;
    }
    if (kept->calls > 0)
        put_in(kept);
    if (end < heatmap->start_ticks)
        end = heatmap->start_ticks;
    widen_to(heatmap, end);
    keep_bin(kept, heatmap, spread(heatmap, is_write, bytes, start, end));
    leave_lock();
}
