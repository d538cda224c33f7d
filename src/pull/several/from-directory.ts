import type { DirectorySource } from '../../config/schema/sources/folders.ts';
import { identityOf, type Past } from '../choose/past.ts';
import { asListed, type Candidate, candidates, copy, hasSettled, PATIENCE } from '../directory.ts';
import { originOf, type Pulled, type PullInput } from '../source.ts';
import { pullTogether } from './pull-together.ts';
import type { SeveralWanted } from './wanted.ts';

/** Pulls all files of a folder that make one delivery; as `pullDirectory` otherwise. */
export function pullDirectoryFiles(source: DirectorySource, wanted: SeveralWanted, input: PullInput): Promise<Pulled> {
  const haveSettled = async (files: Candidate[]) => {
    for (const file of files) if (!(await hasSettled(file, source, input))) return false;
    return true;
  };
  const bring = async (file: Candidate) => {
    const listed = asListed(file);
    const path = `${input.target}-${identityOf(listed)}`;
    const copied = await copy(file, source, { ...input, target: path, meter: undefined });
    return copied === undefined ? null : { listed, path, bytes: copied.bytes, sha256: copied.sha256 };
  };
  const list = (past: Past | undefined) => candidates(source, past, input.now());
  const place = { name: source.path, origin: originOf(source), patience: PATIENCE, list, haveSettled, bring };
  return pullTogether(place, wanted, input);
}
