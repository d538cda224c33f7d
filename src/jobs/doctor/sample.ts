import { randomInt } from 'node:crypto';
import type { Context } from '../../context.ts';
import { listIncidents } from '../../ledger/alerts/incidents.ts';
import { referencesTo } from '../../ledger/maintenance/references.ts';
import { blobName } from '../archive/incident.ts';

/** What checking some files may cost. */
const MOST_FILES = 200;
const MOST_BYTES = 512 * 1024 * 1024;

/**
 * Verifies some files of the archive, those of what is live first, then others that are picked at random. Answers what it checked;
 * fails with what is damaged. What is live is always among them, however large it is.
 */
export async function sampleArchive(ctx: Context): Promise<string> {
  const references = await referencesTo(ctx.ledger.db, null);
  const live = new Map(references.filter((one) => one.live).map((one) => [one.sha256, one]));
  const sizes = new Map<string, number>();
  for await (const { sha256, bytes } of ctx.archive.list()) sizes.set(sha256, bytes);
  const others = shuffled([...sizes.keys()].filter((sha256) => !live.has(sha256)));
  const wrong: string[] = [];
  let [files, bytes] = [0, 0];
  for (const sha256 of [...live.keys(), ...others]) {
    const size = sizes.get(sha256) ?? 0;
    if (!live.has(sha256) && (files >= MOST_FILES || bytes + size > MOST_BYTES)) continue;
    const found = await ctx.archive.verify(sha256);
    files += 1;
    bytes += size;
    // What is not live may have been pruned since it was listed.
    if (found === 'ok' || (found === 'missing' && !live.has(sha256))) continue;
    const reference = live.get(sha256) ?? references.find((one) => one.sha256 === sha256);
    const name = reference === undefined ? 'a file that nothing names' : blobName(reference);
    wrong.push(`${name}${reference?.feed == null ? '' : ` (${reference.feed})`} is ${found}`);
  }
  const known = await listIncidents(ctx.ledger.db, { kind: 'damaged-archive' });
  if (wrong.length + known.length > 0) {
    const said = [...wrong.slice(0, 5), ...known.filter(() => wrong.length === 0).map(({ text }) => text)];
    throw new Error(`${said.join('; ')}. \`offerline verify --repair\` checks everything and repairs what it can`);
  }
  return `${files} of ${sizes.size} files verified (${(bytes / 1e6).toFixed(1)} MB), all that is live among them`;
}

function shuffled(items: string[]): string[] {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = randomInt(at + 1);
    [items[at], items[other]] = [items[other]!, items[at]!];
  }
  return items;
}
