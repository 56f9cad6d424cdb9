/**
 * Quantities as branded numbers: a time where a width belongs does not compile.
 *
 * A brand costs nothing at run time. Values get it where they enter the page
 * (wire, report, mouse) and keep it.
 */

declare const unit: unique symbol;
type Branded<Name extends string> = number & { readonly [unit]: Name };

/** Seconds since the start of the job, or a duration in seconds. */
export type Seconds = Branded<"s">;
/** Bytes: a size, an offset in a file, or an amount moved. */
export type Bytes = Branded<"bytes">;
/** A share; 1 is all. */
export type Ratio = Branded<"1">;
/** Pixels of the layout, whatever the screen's density. */
export type CssPixels = Branded<"css px">;

/** Index of a track (one rank of one log) in `Description.tracks`. */
export type Track = Branded<"track">;
/** Index of a file in `Description.files`. */
export type FileIndex = Branded<"file">;
/** Index of a call among those that the source holds. */
export type CallIndex = Branded<"call">;

export const seconds = (value: number): Seconds => value as Seconds;
export const bytes = (value: number): Bytes => value as Bytes;
export const ratio = (value: number): Ratio => value as Ratio;
export const cssPixels = (value: number): CssPixels => value as CssPixels;
export const track = (index: number): Track => index as Track;
export const fileIndex = (index: number): FileIndex => index as FileIndex;
export const callIndex = (index: number): CallIndex => index as CallIndex;
