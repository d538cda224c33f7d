import { acceptedRows, type ReadingJob } from '../offers/process/reading.ts';
import { createReference } from '../reference/open.ts';
import { buildIndex } from './build-index.ts';

/** One dataset to index: its upload as it is stored, the data folder, and where the index goes. Plain data. */
export type IndexJob = Pick<ReadingJob, 'facts' | 'path' | 'settings'> & { dataDir: string; target: string };

/** Reads the rows of an upload again and indexes those that were accepted. */
export async function indexDataset({ dataDir, target, ...job }: IndexJob): Promise<void> {
  const reference = createReference(dataDir);
  try {
    reference.db();
    const { path, fingerprint } = reference;
    await buildIndex(target, { rows: acceptedRows(job), reference: path, fingerprint: fingerprint() });
  } finally {
    reference.close();
  }
}
