import type { DirectorySource } from '../../config/schema/sources/folders.ts';
import { identityOf, type Past } from '../choose/past.ts';
import { asListed, type Candidate, candidates, copy, isUnchanged, PATIENCE } from '../directory.ts';
import { originOf, type Pulled, type PullInput } from '../source.ts';
import { pullTogether, type Settled } from './pull-together.ts';
import type { SeveralWanted } from './wanted.ts';

/** Pulls all files of a folder that make one delivery; as `pullDirectory` otherwise. */
export function pullDirectoryFiles(source: DirectorySource, wanted: SeveralWanted, input: PullInput): Promise<Pulled> {
  const settle = (files: Candidate[]) => settleIn(source, files, input);
  const bring = async (file: Candidate) => {
    const listed = asListed(file);
    const path = `${input.target}-${identityOf(listed)}`;
    const copied = await copy(file, source, { ...input, target: path, meter: undefined });
    return copied === undefined ? null : { listed, path, bytes: copied.bytes, sha256: copied.sha256 };
  };
  const list = (past: Past | undefined) => candidates(source, past, input.now());
  const place = { name: source.path, origin: originOf(source), patience: PATIENCE, list, settle, bring };
  return pullTogether(place, wanted, input);
}

/** A file that was moved here comes with its old time of change: that of its entry tells when. */
async function settleIn({ ready, settle }: DirectorySource, files: Candidate[], input: PullInput): Promise<Settled> {
  const now = input.now();
  const recent = files.filter(({ stats }) => now - Math.max(stats.mtimeMs, stats.ctimeMs) < settle);
  if (ready !== undefined || recent.length === 0) return 'before';
  await input.wait(settle, input.signal);
  // New rights also change an entry, and are no reason to wait again.
  for (const file of recent) if (!(await isUnchanged(file))) return 'changed';
  return 'waited';
}
