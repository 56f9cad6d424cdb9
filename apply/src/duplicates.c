/* Two descriptors of one file, and one position. */
#include "descriptors.h"

void apply_part_from_twin(struct apply_descriptor *descriptor)
{
    if (descriptor->twin != 0)
        apply_descriptors[descriptor->twin - 1].twin = 0;
    descriptor->twin = 0;
}

void apply_duplicated(int from, int to, bool was_watched)
{
    struct apply_descriptor *first = apply_descriptor(from), *second = apply_descriptor(to);
    if (second != NULL)
        apply_seen(to);
    if (first == NULL || second == NULL || from == to || !was_watched)
        return;
    second->is_append = first->is_append;
    second->is_named = first->is_named;
    second->needed = first->needed;
    second->room = first->room;
    apply_set_position(first, APPLY_POSITION_UNKNOWN);
    second->position = first->position;
    first->twin = (uint16_t)(to + 1);
    second->twin = (uint16_t)(from + 1);
}

void apply_watch_twin_again(struct apply_descriptor *closed)
{
    if (closed->twin == 0)
        return;
    struct apply_descriptor *twin = &apply_descriptors[closed->twin - 1];
    apply_part_from_twin(closed);
    if (apply_watch_of(twin) == APPLY_SEEN && !apply_is_stopped()) {
        twin->is_explicit = false;
        twin->run = 0;
        twin->follow = 0;
        __atomic_store_n(&twin->watch, APPLY_WATCHED, __ATOMIC_RELEASE);
    }
}
