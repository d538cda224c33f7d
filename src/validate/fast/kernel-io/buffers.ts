import type { Sizes } from '../sizes.ts';

/** How far a kernel reads or writes past the end of its buffers. */
export const PADDING = 256;
/** Room for the settings, and for the addresses of templates of all kinds of findings: of 64 columns there are 523. */
const SETTINGS_BYTES = 256;
const TEMPLATES_BYTES = 2304;
const SCRATCH_BYTES = 820 * 1024;
/** Room for one finding of any length that a kernel writes. */
const FINDING_BYTES = 64 * 1024;

/** The words of an entry, which kernels list for each accepted row: both halves of its part's hash, its line, where it is in output and input. */
export const ENTRY_WORDS = 5;

/** The addresses of the buffers of a slot, from the bytes of a chunk to its rows and issues. */
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
  /** What rules did to rows, the fields that they ask for and the end of these, and what is remembered of cells. */
  ruleCounts: number;
  ruleFields: number;
  ruleFieldsEnd: number;
  knownCells: number;
};

/** How many counts rules have, and how many fields they ask for. */
export type RuleSizes = { counts: number; fields: number };

/** The bytes of a field of rules, and of what is remembered of its cells, see kernel/rule-cells.ts. */
export const RULE_FIELD_BYTES = 64;
export const KNOWN_CELLS_BYTES = 1024 * 64;

/** The kernel's settings in full, with the addresses that are particular to these buffers. */
export function settingsOf(words: number[], buffers: ChunkBuffers): Uint32Array {
  const { scratch, templates, findings, findingTexts, findingsEnd, ruleCounts, ruleFields, ruleFieldsEnd } = buffers;
  return Uint32Array.of(
    ...words,
    scratch,
    templates,
    findings,
    findingTexts,
    findingsEnd,
    ruleCounts,
    ruleFields,
    ruleFieldsEnd,
  );
}

/** How much memory the buffers of a slot need. `transcoded`: the text is converted to UTF-8 first. */
export function bufferBytes(sizes: Sizes, transcoded: boolean, rules: RuleSizes): number {
  return buffersAt(0, sizes, transcoded, rules).knownCells + rules.fields * KNOWN_CELLS_BYTES;
}

/**
 * Lays out the buffers of a slot from an address on. Every byte may be a delimiter, and every second one may end a row;
 * findings that do not fit are left to the slow path.
 */
export function buffersAt(start: number, sizes: Sizes, transcoded: boolean, rules: RuleSizes): ChunkBuffers {
  const bytes = textBytes(sizes, transcoded);
  const templates = start + SETTINGS_BYTES;
  const scratch = templates + TEMPLATES_BYTES;
  const raw = scratch + SCRATCH_BYTES;
  const text = raw + textBytes(sizes, false);
  const index = text + (transcoded ? bytes : 0);
  const entries = index + bytes * 4;
  const duplicates = entries + bytes * 10;
  const out = duplicates + bytes * 4;
  const findings = out + bytes * 8 + PADDING;
  const findingTexts = findings + bytes * 2;
  const findingsEnd = findingTexts + bytes * 14 + FINDING_BYTES;
  const ruleCounts = findingsEnd + PADDING;
  const ruleFields = ruleCounts + Math.ceil((rules.counts * 4) / PADDING) * PADDING;
  const ruleFieldsEnd = ruleFields + rules.fields * RULE_FIELD_BYTES;
  return {
    settings: start,
    templates,
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
    findingsEnd,
    ruleCounts,
    ruleFields,
    ruleFieldsEnd,
    knownCells: Math.ceil(ruleFieldsEnd / PADDING) * PADDING,
  };
}

/** A multiple of 64, so that words are aligned. */
function textBytes(sizes: Sizes, transcoded: boolean): number {
  return Math.ceil(((sizes.chunk + sizes.line) * (transcoded ? 3 : 1)) / 64) * 64 + PADDING;
}
