import type { Db } from '../ledger.ts';

/** A feed or a login that was paused, and from when to when; `to` is Infinity while it lasts. */
type PastPause = { kind: string; name: string; from: number; to: number };

/** Every pause there was, as people decided it, and those that last. */
export async function pastPauses(db: Db): Promise<PastPause[]> {
  const decided = await db
    .selectFrom('audit')
    .select(['at', 'action', 'subject'])
    .where('action', 'in', ['pause', 'resume'])
    .orderBy('at')
    .orderBy('id')
    .execute();
  const lasting = await db.selectFrom('pauses').select(['kind', 'name', 'at']).execute();
  const begun = new Map<string, number>();
  const pauses: PastPause[] = [];
  for (const { at, action, subject } of decided) {
    const from = begun.get(subject);
    if (action === 'pause') begun.set(subject, at);
    else if (from !== undefined) {
      pauses.push({ ...partsOf(subject), from, to: at });
      begun.delete(subject);
    }
  }
  return [...pauses, ...lasting.map(({ kind, name, at }) => ({ kind, name, from: at, to: Infinity }))];
}

/** `feed north`, as decisions about pauses name what they are about. */
function partsOf(subject: string): Pick<PastPause, 'kind' | 'name'> {
  const [kind = ''] = subject.split(' ', 1);
  return { kind, name: subject.slice(kind.length + 1) };
}
