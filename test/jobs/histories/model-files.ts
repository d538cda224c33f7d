import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addFeed } from '../../../src/compose/add-feed.ts';
import type { DatasetPart } from '../../../src/ledger/schema/schema.ts';
import { createPartSet } from '../../../src/parts/part-set.ts';
import { countLostRows } from '../../../src/upload/errors/lost-rows.ts';

const COLUMNS = ['brand', 'oem', 'name'];

/** A feed's rows as validation wrote them: the lines of its file. */
export type FeedLines = { feed: string; lines: readonly string[] };

/** A feed with the rejections that were traced in it, as JSON Lines; null where nobody kept which. */
export type KeptRejections = { feed: string; lines: readonly string[] };

export type Earlier = { index: readonly string[]; rejections: KeptRejections[] };

/** The product's functions that read files. Equal files are written once and equal questions asked once: thousands of histories repeat them. */
export function modelFiles(folder: string) {
  const paths = new Map<string, string>();
  const composed = new Map<string, ReturnType<typeof take>>();
  const counted = new Map<string, ReturnType<typeof countLostRows>>();

  const file = (lines: readonly string[]): string => {
    const text = lines.map((line) => `${line}\n`).join('');
    const path = paths.get(text) ?? join(folder, String(paths.size));
    if (!paths.has(text)) writeFileSync(path, text);
    paths.set(text, path);
    return path;
  };

  async function take(feeds: { feed: string; rowsPath: string }[]) {
    const taken = createPartSet();
    const index: string[] = [];
    const parts: DatasetPart[] = [];
    const sink = {
      won: (feed: Buffer, bytes: Buffer, from: number, to: number) => {
        index.push(`${feed.toString()}${bytes.toString('utf8', from, to - 1)}`);
      },
      lost: () => undefined,
      flush: async () => undefined,
    };
    for (const feed of feeds) parts.push(await addFeed({ ...feed, run: '', columns: COLUMNS }, COLUMNS, taken, sink));
    return { index, parts };
  }

  const rejectionsOf = (all: KeptRejections[]) =>
    all.map(({ feed, lines }) => ({ feed, file: lines.length === 0 ? null : file(lines) }));

  return {
    /** What is composed of feeds in winning order: the lines of the index, and what each contributes. */
    compose: (feeds: FeedLines[]) =>
      once(
        composed,
        feeds.map(({ feed, lines }) => ({ feed, rowsPath: file(lines) })),
        take,
      ),
    /** How many rows each feed lost to rejections. */
    lost: async (now: KeptRejections[], earlier: Earlier[]) => {
      const before = earlier.map(({ index, rejections }) => ({
        index: file(index),
        columns: COLUMNS,
        rejections: rejectionsOf(rejections),
      }));
      const question = { now: { columns: COLUMNS, rejections: rejectionsOf(now) }, earlier: before };
      return new Map(await once(counted, question, countLostRows));
    },
  };
}

function once<Q, A>(answers: Map<string, A>, question: Q, ask: (question: Q) => A): A {
  const key = JSON.stringify(question);
  const answer = answers.get(key) ?? ask(question);
  answers.set(key, answer);
  return answer;
}
