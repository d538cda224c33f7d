import type { RunAnswer } from '../../src/model.ts';
import type { Installation } from './installation.ts';

type Rehearsed = RunAnswer & { rehearsal: boolean; home: string; status: number | null; stderr: string };

/** `ingest FEED --rehearse --json`, with its exit status. */
export async function rehearse(shop: Installation, feed: string, ...args: string[]): Promise<Rehearsed> {
  const { status, stdout, stderr } = await shop.offerline('ingest', feed, '--rehearse', '--json', ...args);
  if (stdout === '') throw new Error(`no answer, status ${status}: ${stderr}`);
  return { ...(JSON.parse(stdout) as Rehearsed), status, stderr };
}
