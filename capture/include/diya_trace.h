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
 * Constants and structures are in generated/diya_segment.h, which follows from
 * schema/segment.toml as the readers' types do; function numbers are in
 * generated/diya_functions.h. A change of meaning is a new version.
 */
#ifndef DIYA_TRACE_H
#define DIYA_TRACE_H

#include "generated/diya_segment.h"

/* --- call record: odd tag ------------------------------------------------
 *
 *   tag u8
 *   [slot u8]                      unless DIYA_SAME_SLOT
 *     [function v, file v, depth v]  when slot has DIYA_SLOT_NEW set
 *   [offset]                       as the offset mode says
 *   [size v]                       unless DIYA_SAME_SIZE: bytes requested
 *   [result z]                     unless DIYA_ALL_DONE: bytes done, or -errno
 *   [stack v]                      unless DIYA_SAME_STACK
 *   [extension u8 ...]             with DIYA_EXTENDED
 *   start z: ticks since the start of the previous call record of this window
 *            (the window's base_ticks for the first)
 *   duration v: ticks
 *
 * A slot remembers (function, file, depth) and the last offset, offset step,
 * size and stack seen in it. There are 64, all empty at the start of a window.
 * A call of depth d was made inside the next record of the same thread with
 * depth d - 1: records are written when calls return, so children come first.
 *
 * --- other records: even tags ---------------------------------------------
 *
 *   tag u8, length v, payload[length]: enum diya_record_tag says which
 *
 * DIYA_SAMPLES, of the processor, of one thread, in its own code (not in the kernel):
 *
 *   thread id v, period v, lost v
 *   then for each sample: CLOCK_MONOTONIC v, less that of the sample before,
 *   address z, less that of the sample before (both 0 at first)
 *
 * Each sample stands for `period` nanoseconds of processor time; 0: the system
 * does not permit samples. `lost` were taken before these and found no room.
 *
 * DIYA_MESSAGE:
 *
 *   function v (enum diya_message_function), communicator v (0: not known),
 *   enum diya_message_role u8, peer z (rank in the communicator; -1: none, or not
 *   known), tag z (-1: none), sequence v, bytes v, depth v, stack v,
 *   start v, ticks v, then peers v: where there are several
 *
 * `sequence` counts the collective calls of a communicator from 1, so that the calls of
 * its ranks that belong together have the same; 0: none. `bytes` is count times size of
 * the type, of this rank's own part.
 *
 * --- counters ----------------------------------------------------------------
 *
 * Size bins are Darshan's: a request of exactly the edge is in the lower bin.
 *
 * `repeats` are tiny transfers of operation `last_op`, each at the position where the
 * one before ended, that are not in the other counters yet (but in ticks and last_ticks):
 * bytes in bits 0 to 23, calls in 24 to 31, those of them that belong into the second
 * size bin in 32 to 39, those that are not in common_size either in 40 to 47, and the
 * size of these from bit 48 on. There are at most 127 of them.
 */

#endif
