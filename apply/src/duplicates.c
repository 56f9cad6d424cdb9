/* Two descriptors of one file, and one position. */
#include "descriptors.h"

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
