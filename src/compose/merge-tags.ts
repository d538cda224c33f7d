import { appendFile } from 'node:fs/promises';
import { MAX_TAGS } from '../config/schema/feed-settings.ts';
import type { OfferConfig } from '../config/schema/schema.ts';
import { byteLines, lineBatches } from '../archive/lines.ts';
import { tagKey } from './offer-file.ts';
import type { MergedTags } from '../model.ts';
import { refuseWrite } from '../io/text-writer.ts';
import { openByteWriter } from './byte-writer.ts';
import type { DatasetWriter } from './dataset-writer.ts';
import type { RowSink } from './add-feed.ts';

/** A sink that writes its rows, with merged tags, once all feeds have been added. */
export type TagMerger = RowSink & AsyncDisposable & { finish: (output: DatasetWriter) => Promise<MergedTags> };

/** Winning rows that share one file of other feeds' tags; such a file is read into memory as a whole. */
const SHARE = 32_768;
/** Text that is collected before a file of tags is written to. */
const KEPT = 64 * 1024;
const EXAMPLES = 5;

/**
 * Merges the tags of all feeds that offer a part. Winning rows wait in a draft file, the tags of the other feeds in files by
 * the number of the winning row, so that memory does not grow with the rows.
 */
export async function openTagMerger(input: { uploadPath: string; offer: OfferConfig }): Promise<TagMerger> {
  const { offer, uploadPath } = input;
  const keys = Object.keys(offer.columns);
  const tagAt = keys.indexOf(tagKey(offer) ?? '');
  const draft = await openByteWriter(`${uploadPath}.draft`);
  const shares = openShares(uploadPath);
  const merge = tagMerger(keys, tagAt, offer.tagSeparator);
  return {
    won: (feed, bytes, from, to) => {
      draft.add(feed, 0, feed.length);
      draft.add(bytes, from, to);
    },
    lost: (winner, bytes, from, to) => {
      const tags = bytes.toString('utf8', from, to - 1).split('\t')[tagAt + 1] ?? '';
      if (tagAt >= 0 && tags !== '') shares.add(winner, tags);
    },
    flush: async () => {
      await draft.flush();
      await shares.flush(KEPT);
    },
    finish: async (output) => {
      await shares.flush(0);
      const merged: MergedTags = { rows: 0, cut: 0, examples: [] };
      let others = new Map<number, string[]>();
      let number = 0;
      for await (const { bytes, from, to } of byteLines(`${uploadPath}.draft`)) {
        for (let at = from; at < to; number += 1) {
          if (number % SHARE === 0) others = await shares.read(number);
          const end = bytes.indexOf(0x0a, at) + 1;
          const line = bytes.indexOf(0x09, at) + 1;
          const tags = others.get(number);
          const row = tags === undefined ? null : merge(bytes.toString('utf8', at, end - 1).split('\t'), tags, merged);
          if (row === null) output.won(bytes.subarray(at, line), bytes, line, end);
          else output.won(bytes.subarray(at, line), row, 0, row.length);
          at = end;
        }
        await output.flush();
      }
      await output.flush();
      return merged;
    },
    [Symbol.asyncDispose]: () => draft[Symbol.asyncDispose](),
  };
}

/** Merges the tags of a row of the draft; null when the row does not change. */
function tagMerger(keys: string[], tagAt: number, separator: string) {
  return ([feed = '', line = '', ...cells]: string[], others: string[], merged: MergedTags): Buffer | null => {
    const own = cells[tagAt] ?? '';
    const { kept, dropped } = mergeTags([own, ...others], separator);
    if (dropped.length > 0) {
      const [brand = '', oem = ''] = ['brand', 'oem'].map((key) => cells[keys.indexOf(key)] ?? '');
      merged.cut += 1;
      if (merged.examples.length < EXAMPLES)
        merged.examples.push({
          feed,
          sheet: null,
          line: Number(line),
          brand,
          oem,
          dropped: dropped.slice(0, MAX_TAGS),
        });
    }
    if (kept.length <= mergeTags([own], separator).kept.length) return null;
    merged.rows += 1;
    return Buffer.from(`${[line, ...cells.with(tagAt, kept.join(separator))].join('\t')}\n`);
  };
}

/**
 * The union of lists of tags in their order, each tag once: the winner's come first, then those of the other feeds in
 * winning order. What is beyond the 20 that the service takes is dropped from the end.
 */
function mergeTags(lists: string[], separator: string): { kept: string[]; dropped: string[] } {
  const all = [...new Set(lists.flatMap((list) => tagsIn(list, separator)))];
  return { kept: all.slice(0, MAX_TAGS), dropped: all.slice(MAX_TAGS) };
}

function tagsIn(list: string, separator: string): string[] {
  return list
    .split(separator)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** Files of tags, each for some of the winning rows. */
function openShares(base: string) {
  const kept = new Map<number, string>();
  const written = new Set<number>();
  const path = (share: number) => `${base}.tags-${share}`;
  return {
    add: (winner: number, tags: string) => {
      const share = Math.floor(winner / SHARE);
      kept.set(share, `${kept.get(share) ?? ''}${winner}\t${tags}\n`);
    },
    /** Writes what is longer than `least`. */
    flush: async (least: number) => {
      for (const [share, text] of kept) {
        if (text.length < least) continue;
        await appendFile(path(share), text).catch((error: unknown) => refuseWrite(path(share), error));
        written.add(share);
        kept.delete(share);
      }
    },
    /** The tags for the rows of the share that begins with this one. */
    read: async (winner: number): Promise<Map<number, string[]>> => {
      const found = new Map<number, string[]>();
      const share = Math.floor(winner / SHARE);
      if (!written.has(share)) return found;
      for await (const lines of lineBatches(path(share))) {
        for (const line of lines) {
          const tab = line.indexOf('\t');
          const row = Number(line.slice(0, tab));
          const tags = found.get(row);
          if (tags === undefined) found.set(row, [line.slice(tab + 1)]);
          else tags.push(line.slice(tab + 1));
        }
      }
      return found;
    },
  };
}
