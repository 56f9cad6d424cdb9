/* Heat map of the profile mode: bytes over time, one for each layer.
 *
 * As Darshan's: 200 bins that start at 0.1 s and double in width when time runs
 * past the last; a transfer is spread over the bins it took (darshan-heatmap.c
 * of 3.4).
 */
#include "counters.h"

#include <string.h>

#define NEEDED_BYTES (sizeof(struct diya_window_header) + sizeof(struct diya_heatmap))
#define WINDOW_BYTES ((NEEDED_BYTES + DIYA_PAGE - 1) / DIYA_PAGE * DIYA_PAGE)

/* A tenth of a second. Where the processor does not say how fast its counter
 * runs, the time since the segment began tells. */
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

static bool take_lock(void)
{
    return __atomic_exchange_n(&diya_process->heatmap_lock, 1, __ATOMIC_ACQUIRE) == 0;
}

static void leave_lock(void)
{
    __atomic_store_n(&diya_process->heatmap_lock, 0, __ATOMIC_RELEASE);
}

/* A thread that finds the map being made or widened goes without: it must not
 * wait, and the loss is a few transfers in a picture. */
static struct diya_heatmap *heatmap_of(struct diya_thread *thread, enum diya_layer layer)
{
    struct diya_heatmap *heatmap = __atomic_load_n(&diya_process->heatmaps[layer], __ATOMIC_ACQUIRE);
    if (heatmap != NULL || !take_lock())
        return heatmap;
    heatmap = diya_process->heatmaps[layer];
    if (heatmap == NULL) {
        heatmap = new_heatmap(thread, layer);
        __atomic_store_n(&diya_process->heatmaps[layer], heatmap, __ATOMIC_RELEASE);
    }
    leave_lock();
    return heatmap;
}

static void join_pairs(uint64_t *bins)
{
    for (unsigned i = 0; i < DIYA_HEATMAP_BINS / 2; i++)
        bins[i] = bins[2 * i] + bins[2 * i + 1];
    memset(bins + DIYA_HEATMAP_BINS / 2, 0, DIYA_HEATMAP_BINS / 2 * sizeof *bins);
}

static bool reaches(struct diya_heatmap *heatmap, uint64_t end)
{
    while ((end - heatmap->start_ticks) / heatmap->bin_ticks >= DIYA_HEATMAP_BINS) {
        if (!take_lock())
            return false;
        if ((end - heatmap->start_ticks) / heatmap->bin_ticks >= DIYA_HEATMAP_BINS) {
            join_pairs(heatmap->read);
            join_pairs(heatmap->written);
            heatmap->bin_ticks *= 2;
        }
        leave_lock();
    }
    return true;
}

/* Most transfers lie in the bin of the one before. They are added up by thread
 * and go into the map, which all threads share, a few at a time: a map that
 * four threads write to for each call costs each of them 70 ns. */
#define CALLS_TOGETHER 16u

static bool is_in_bin(const struct diya_heat_bin *bin, const struct diya_heatmap *heatmap, uint64_t start, uint64_t end)
{
    return bin->heatmap == heatmap && bin->bin_ticks == heatmap->bin_ticks && start >= bin->begin && end < bin->end;
}

void diya_heat_flush(struct diya_thread *thread)
{
    struct diya_heat_bin *bin = &thread->heat_bin;
    struct diya_heatmap *heatmap = bin->heatmap;
    if (bin->calls == 0 || heatmap == NULL)
        return;
    uint64_t number = (bin->begin - heatmap->start_ticks) / heatmap->bin_ticks;
    if (number < DIYA_HEATMAP_BINS) {
        __atomic_fetch_add(&heatmap->read[number], bin->read, __ATOMIC_RELAXED);
        __atomic_fetch_add(&heatmap->written[number], bin->written, __ATOMIC_RELAXED);
    }
    bin->read = bin->written = 0;
    bin->calls = 0;
}

static void keep_bin(struct diya_heat_bin *bin, struct diya_heatmap *heatmap, uint64_t number)
{
    bin->heatmap = heatmap;
    bin->bin_ticks = heatmap->bin_ticks;
    bin->begin = heatmap->start_ticks + number * heatmap->bin_ticks;
    bin->end = bin->begin + heatmap->bin_ticks;
}

void diya_heat(struct diya_thread *thread, enum diya_layer layer, bool is_write, uint64_t bytes, uint64_t start,
               uint64_t end)
{
    struct diya_heatmap *heatmap = heatmap_of(thread, layer);
    struct diya_heat_bin *kept = &thread->heat_bin;
    if (heatmap != NULL && is_in_bin(kept, heatmap, start, end)) {
        *(is_write ? &kept->written : &kept->read) += bytes;
        if (++kept->calls == CALLS_TOGETHER)
            diya_heat_flush(thread);
        return;
    }
    diya_heat_flush(thread);
    if (heatmap == NULL || !reaches(heatmap, end))
        return;
    uint64_t *bins = is_write ? heatmap->written : heatmap->read;
    uint64_t from = start > heatmap->start_ticks ? start - heatmap->start_ticks : 0;
    uint64_t to = end > heatmap->start_ticks ? end - heatmap->start_ticks : 0;
    uint64_t first = from / heatmap->bin_ticks, last = to / heatmap->bin_ticks;
    uint64_t left = bytes;
    for (uint64_t bin = first; bin < last && bin < DIYA_HEATMAP_BINS; bin++) {
        uint64_t begins = bin * heatmap->bin_ticks > from ? bin * heatmap->bin_ticks : from;
        double part = (double)((bin + 1) * heatmap->bin_ticks - begins) / (double)(to - from);
        uint64_t share = (uint64_t)((double)bytes * part);
        __atomic_fetch_add(&bins[bin], share, __ATOMIC_RELAXED);
        left -= share < left ? share : left;
    }
    if (last >= DIYA_HEATMAP_BINS)
        return;
    keep_bin(kept, heatmap, last);
    __atomic_fetch_add(&bins[last], left, __ATOMIC_RELAXED);
}
