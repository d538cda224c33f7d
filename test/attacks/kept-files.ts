import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Installation } from '../support/installation.ts';

/** Looks into the ledger of an installation and at the files that it names. */
export function keptBy({ home }: Installation) {
  const query = <Row>(sql: string, ...values: string[]): Row[] => {
    const db = new DatabaseSync(join(home, 'ledger.sqlite'), { readOnly: true });
    try {
      return db.prepare(sql).all(...values) as Row[];
    } finally {
      db.close();
    }
  };
  const pathOf = (sha256: string) => join(home, 'archive', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  type Run = { delivery_sha: string; rows_sha: string; issues_sha: string; rejections_sha: string };
  type Dataset = { sha256: string; index_sha: string };
  return {
    query,
    pathOf,
    /** The newest run of a feed. */
    run: (feed: string): Run => query<Run>('select * from runs where feed = ? order by id desc limit 1', feed)[0]!,
    /** The newest dataset. */
    dataset: (): Dataset | undefined => query<Dataset>('select * from datasets order by created_at desc limit 1')[0],
  };
}

/** Changes one bit in the middle of a file. */
export function flipBit(path: string): void {
  const bytes = readFileSync(path);
  const at = Math.floor(bytes.length / 2);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
}
