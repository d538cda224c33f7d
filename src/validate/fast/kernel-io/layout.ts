import { readPatterns } from '../wasm/patterns-file.ts';
import { charsetTable } from '../wasm/charset-table.ts';
import { createMemory } from '../wasm/kernel.ts';
import type { IssuesLayout } from '../../issues/issue-log.ts';
import { findingTemplates, type FindingTemplate } from './finding-templates.ts';
import { kernelSettings, type Put, type Table } from './kernel-settings.ts';
import { PADDING, roomAt, roomBytes, type ChunkBuffers } from '../chunk/buffers.ts';
import type { Sizes } from '../driver/sizes.ts';

const MOST_COLUMNS = 64;
const LONGEST_TEXT = 1024;
const SHARED_BYTES = 4 * 1024 * 1024;
/** A thread that waits for another to settle an earlier chunk goes on with so many. */
const ROOMS = 4;

/** Where things are in the shared memory. */
export type Layout = {
  memory: WebAssembly.Memory;
  /** The table of a charset whose bytes become UTF-8, else 0. */
  charset: number;
  /** What every row has beside the bytes of its line, at most. */
  rowOverhead: number;
  /** The kernel's settings but for what is a room's own, for text that is UTF-8 and for text that is not. */
  settings: [number[], number[]];
  /** The findings that kernels write, by their kinds. */
  templates: FindingTemplate[];
  /** The rooms of each thread. */
  rooms: ChunkBuffers[][];
  /** Where the table of parts begins. */
  table: number;
};

/** Whether rows of such a file can be read by the kernel at all; what they hold is judged row by row. */
export function isPlainTable({ settings, map, dialect }: Table): boolean {
  const { delimiter, quote, newline } = dialect;
  const texts = [...settings.columns.map(({ fallback }) => fallback ?? ''), ...map.header];
  return (
    isAsciiCharacter(delimiter) &&
    isAsciiCharacter(quote) &&
    delimiter !== quote &&
    newline !== '\r' &&
    settings.columns.length <= MOST_COLUMNS &&
    texts.every((text) => Buffer.byteLength(text) <= LONGEST_TEXT)
  );
}

function isAsciiCharacter(text: string | null): boolean {
  return text !== null && /^[\t\x20-\x7e]$/.test(text);
}

/** Fills a memory with all that kernels need to know of a file. `charset`: the UTF-8 of each byte, or null for UTF-8. */
export function layOut(
  table: Table,
  charset: string[] | null,
  options: { numbered: boolean; issuesLayout: IssuesLayout; onlyUtf8: boolean; threads: number; sizes: Sizes },
): Layout {
  const { sizes, threads, numbered, issuesLayout } = options;
  const bytes = roomBytes(sizes, charset !== null);
  const roomsOf = threads === 1 ? 1 : ROOMS;
  const tableAt = SHARED_BYTES + bytes * roomsOf * threads;
  const memory = createMemory(tableAt);
  const put = putInto(memory);
  const isUtf8 = options.onlyUtf8 || charset !== null;
  const settings = readPatterns(isUtf8).map((patterns) =>
    kernelSettings(put, table, { patterns, numbered, issuesLayout }),
  );
  const fallbacks = table.settings.columns.reduce((sum, { fallback }) => sum + Buffer.byteLength(fallback ?? ''), 0);
  return {
    memory,
    charset: charset === null ? 0 : put(charsetTable(charset)),
    rowOverhead: 16 + table.settings.columns.length + fallbacks,
    settings: [settings[0]!, settings.at(-1)!],
    templates: findingTemplates(put, table, { layout: issuesLayout, names: table.map.names }),
    rooms: Array.from({ length: threads }, (_thread, thread) =>
      Array.from({ length: roomsOf }, (_room, at) =>
        roomAt(SHARED_BYTES + bytes * (thread * roomsOf + at), sizes, charset !== null),
      ),
    ),
    table: tableAt,
  };
}

/** Puts values behind each other into the part of the memory that every thread reads; answers where. */
function putInto(memory: WebAssembly.Memory): Put {
  const bytes = new Uint8Array(memory.buffer);
  let free = PADDING;
  return (values) => {
    const at = free;
    free += values.length + PADDING - (values.length % PADDING);
    if (free > SHARED_BYTES) throw new Error('What kernels share of a file does not fit into their memory.');
    bytes.set(values, at);
    return at;
  };
}
