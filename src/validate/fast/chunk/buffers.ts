import type { Sizes } from '../driver/sizes.ts';

/** What a kernel reads or writes behind the end of its buffers. */
export const PADDING = 256;
const SCRATCH_BYTES = 512 * 1024;
/** Room for one finding of any length that kernels write. */
const FINDING_BYTES = 64 * 1024;

/** The buffers of a chunk, from its bytes in the file to its rows and issues. */
export type ChunkBuffers = {
  settings: number;
  templates: number;
  scratch: number;
  raw: number;
  text: number;
  index: number;
  entries: number;
  duplicates: number;
  out: number;
  outBytes: number;
  /** The list of findings, their texts, and where these end. */
  findings: number;
  findingTexts: number;
  findingsEnd: number;
};

/** The words that a room has at its place for settings. */
export function settingsOf(words: number[], room: ChunkBuffers): Uint32Array {
  const { scratch, templates, findings, findingTexts, findingsEnd } = room;
  return Uint32Array.of(...words, scratch, templates, findings, findingTexts, findingsEnd);
}

/** How much of the memory a room needs. `transcoded`: the text becomes UTF-8 first. */
export function roomBytes(sizes: Sizes, transcoded: boolean): number {
  return roomAt(0, sizes, transcoded).findingsEnd + PADDING;
}

/** Every byte may be a delimiter, and every second one may end a row; more findings than fit are made with care. */
export function roomAt(start: number, sizes: Sizes, transcoded: boolean): ChunkBuffers {
  const bytes = textBytes(sizes, transcoded);
  const scratch = start + 1024;
  const raw = scratch + SCRATCH_BYTES;
  const text = raw + textBytes(sizes, false);
  const index = text + (transcoded ? bytes : 0);
  const entries = index + bytes * 4;
  const duplicates = entries + bytes * 10;
  const out = duplicates + bytes * 4;
  const findings = out + bytes * 8 + PADDING;
  const findingTexts = findings + bytes;
  return {
    settings: start,
    templates: start + 512,
    scratch,
    raw,
    text: transcoded ? text : raw,
    index,
    entries,
    duplicates,
    out,
    outBytes: bytes * 8,
    findings,
    findingTexts,
    findingsEnd: findingTexts + bytes * 4 + FINDING_BYTES,
  };
}

/** A multiple of 64, so that words lie at multiples of their size. */
function textBytes(sizes: Sizes, transcoded: boolean): number {
  return Math.ceil(((sizes.chunk + sizes.line) * (transcoded ? 3 : 1)) / 64) * 64 + PADDING;
}
