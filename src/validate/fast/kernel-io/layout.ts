import { readPatterns } from '../wasm/patterns-file.ts';
import { charsetTable } from '../wasm/charset-table.ts';
import { createMemory } from '../wasm/kernel.ts';
import type { TablePart } from '../../../model.ts';
import type { IssuesLayout } from '../../issues/issue-line.ts';
import { findingTemplates, type FindingTemplate } from './finding-templates.ts';
import { kernelSettings, numberMarkCharacters, type Put, type Table } from './kernel-settings.ts';
import { PADDING, buffersAt, bufferBytes, type ChunkBuffers } from './buffers.ts';
import { prepareRules } from '../../rules/row-rules.ts';
import { placeRules, ruleBytes, ruleSizes, type PlacedRules } from './rule-program.ts';
import { NO_SPELLINGS, placeSpellings, spellingBytes } from './spelling-slots.ts';
import type { Sizes } from '../sizes.ts';

const MOST_COLUMNS = 64;
const LONGEST_TEXT = 1024;
const SHARED_BYTES = 6 * 1024 * 1024;
/** Chunks that a thread can hold while it waits for another thread to commit an earlier one. */
const SLOTS_PER_THREAD = 4;

/** Where everything is in the shared memory. */
export type Layout = {
  memory: WebAssembly.Memory;
  /** The table of a charset that is converted to UTF-8, or 0. */
  charset: number;
  /** The most bytes that a row has in the output beyond those of its line. */
  rowOverhead: number;
  /** The kernel's settings without the buffer addresses, for text that is UTF-8 and for text that is not. */
  settings: [number[], number[]];
  /** The findings that kernels write, by kind. */
  templates: FindingTemplate[];
  /** Where the rules for rows are; how many of the templates, the last ones, are about them. */
  rules: PlacedRules;
  ruleTemplates: number;
  /** The buffers of each slot, by thread. */
  buffers: ChunkBuffers[][];
  /** Where the table of parts begins. */
  table: number;
};

/** Whether the kernel can read rows of such a file at all; their contents are judged row by row. */
export function isPlainTable({ settings, map, dialect }: Omit<Table, 'charset' | 'habits' | 'wraps'>): boolean {
  const { delimiter, quote, newline } = dialect;
  const texts = [...settings.columns.map(({ fallback }) => fallback ?? ''), ...map.header];
  const marks = numberMarkCharacters(settings);
  const isListedPart = settings.columns.some(({ key, list }) => list && (key === 'brand' || key === 'oem'));
  return (
    !isListedPart &&
    settings.split === null &&
    marks.every((mark) => /^[\n\x20-\x7e]$/.test(mark)) &&
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

/** Fills a memory with everything that kernels need to know about a file. `charset`: the UTF-8 of each byte, or null for UTF-8. */
export function layOut(
  table: Table,
  charset: string[] | null,
  options: {
    numbered: boolean;
    issuesLayout: IssuesLayout;
    /** The table that the text was made of, if it was one. */
    table: Pick<TablePart, 'file' | 'sheet'>;
    /** Several tables are read as one: issues name theirs, so that kernels write none. */
    ofSeveral: boolean;
    /** The layout of the file before, whose memory and table of parts are used again where they fit. */
    before?: Layout | undefined;
    onlyUtf8: boolean;
    threads: number;
    sizes: Sizes;
    module: WebAssembly.Module;
  },
): Layout {
  const { sizes, threads, numbered, issuesLayout } = options;
  const { spellings: known, strip, tagSeparator } = table.settings;
  const prepared = prepareRules(table.settings, table.wraps);
  const ruled = ruleSizes(prepared);
  const bytes = bufferBytes(sizes, charset !== null, ruled);
  const slotsPerThread = threads === 1 ? 1 : SLOTS_PER_THREAD;
  const rulesFrom = SHARED_BYTES + (known === null ? 0 : roundUp(spellingBytes(known)));
  const buffersFrom = rulesFrom + roundUp(ruleBytes(prepared));
  const tableAt = buffersFrom + bytes * slotsPerThread * threads;
  const { before } = options;
  const memory = before?.table === tableAt ? before.memory : createMemory(tableAt);
  const put = putInto(memory);
  const spellings =
    known === null ? NO_SPELLINGS : placeSpellings(known, SHARED_BYTES, { memory, module: options.module });
  const rules = placeRules({ prepared, strip, tagSeparator }, rulesFrom, { memory, module: options.module });
  const isUtf8 = options.onlyUtf8 || charset !== null;
  const isKnown = isUtf8 || table.charset === 'utf-8';
  const settings = readPatterns(isUtf8).map((patterns, at) =>
    kernelSettings(put, table, { patterns, numbered, issuesLayout, isUtf8: isKnown && at === 0, spellings, rules }),
  );
  const templates = findingTemplates(put, table, {
    layout: issuesLayout,
    names: table.map.names,
    table: options.table,
  });
  const fallbacks = table.settings.columns.reduce((sum, { fallback }) => sum + Buffer.byteLength(fallback ?? ''), 0);
  return {
    memory,
    charset: charset === null ? 0 : put(charsetTable(charset)),
    rowOverhead: 16 + table.settings.columns.length + fallbacks + spellings.longest,
    settings: [settings[0]!, settings.at(-1)!],
    rules,
    ruleTemplates: table.settings.rules.length,
    templates: options.ofSeveral ? templates.map(() => null) : templates,
    buffers: Array.from({ length: threads }, (_thread, thread) =>
      Array.from({ length: slotsPerThread }, (_slot, at) =>
        buffersAt(buffersFrom + bytes * (thread * slotsPerThread + at), sizes, charset !== null, ruled),
      ),
    ),
    table: tableAt,
  };
}

/** To where every buffer may begin. */
function roundUp(bytes: number): number {
  return bytes + PADDING - (bytes % PADDING);
}

/** Puts values one after another into the part of the memory that all threads read; returns their addresses. */
function putInto(memory: WebAssembly.Memory): Put {
  const bytes = new Uint8Array(memory.buffer);
  let free = PADDING;
  return (values) => {
    const at = free;
    free += values.length + PADDING - (values.length % PADDING);
    if (free > SHARED_BYTES)
      throw new Error('The settings of this file do not fit into the memory that kernels share.');
    bytes.set(values, at);
    // Another file may have been there before.
    bytes.fill(0, at + values.length, free);
    return at;
  };
}
