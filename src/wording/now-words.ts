import { wordsOf } from './causes.ts';
import type { LiveNow, ProvedRows, RunAnswer } from '../model.ts';
import { counted, grouped, moment } from './words.ts';

/**
 * What is live of a run's feed now beside what came of its own file, as pairs of a label and a text. Nothing where the file's own
 * rows say it all: they are live, and still are.
 */
export function nowLines(answer: RunAnswer, timeZone?: string): [string, string][] {
  const { outcome, now, rows, upload } = answer;
  const own = outcome === 'live' || outcome === 'partial';
  // As many rows in another upload may be those of another file.
  const same = now.live === rows.live && now.upload === (upload?.offerId ?? null);
  if (own && now.doubt === null && same) return [];
  const file = own ? null : fromFile(answer);
  return [...(file === null ? [] : [['From this file', file] as [string, string]]), ...standing(now, !own, timeZone)];
}

/** What is live from a file that did not get through; null when there is no file. */
function fromFile({ outcome, cause, now }: RunAnswer): string | null {
  if (outcome === null || cause === 'no-file') return null;
  if (outcome === 'unchanged') return 'nothing new';
  return wordsOf(outcome, cause).stays || now.doubt === null ? 'nothing' : 'unknown';
}

function standing({ live, rejectedRemotely, since, upload, doubt, proved }: LiveNow, still: boolean, zone?: string) {
  const lines: [string, string][] = [];
  if (doubt !== null || live === null) {
    lines.push(['Live now', `uncertain: ${doubt ?? 'nothing is known'}`]);
    lines.push(['Last verified', proved ? liveText(proved, zone) : 'nothing of this feed']);
  } else if (since === null) {
    lines.push(['Live now', 'nothing of this feed']);
  } else {
    const text = liveText({ live, rejectedRemotely: rejectedRemotely ?? 0, since, upload }, zone);
    lines.push([still && live > 0 ? 'Still live' : 'Live now', text]);
  }
  return lines;
}

function liveText({ live, rejectedRemotely, since, upload }: ProvedRows, timeZone?: string): string {
  const rows = live === 0 ? 'no rows' : counted(live, 'row');
  const by = upload === null ? '' : ` (upload ${upload})`;
  const lost =
    rejectedRemotely === 0 ? '' : `; the service rejects ${grouped(rejectedRemotely)}${live === 0 ? '' : ' more'}`;
  return `${rows} since ${moment(Date.parse(since), timeZone)}${by}${lost}`;
}
