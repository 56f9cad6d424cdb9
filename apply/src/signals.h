/* Signals that end the program: what is gathered is issued before. */
#ifndef APPLY_SIGNALS_H
#define APPLY_SIGNALS_H

#include "settings.h"

/* Takes the signals whose action is the default one. Done once, when the first descriptor
 * begins to gather or the first stream has a buffer. */
APPLY_HIDDEN void apply_catch_signals(void);

#endif
