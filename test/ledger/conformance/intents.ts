import { expect, test } from 'vitest';
import { feedState, updateFeed } from '../../../src/ledger/runs/feeds.ts';
import { loginsWithWork, openIntent } from '../../../src/ledger/uploads/intents.ts';
import { openWork } from '../../../src/ledger/maintenance/open-work.ts';
import { createAttempt } from '../../../src/ledger/uploads/uploads.ts';
import { NOW } from '../../upload/attempt.ts';
import { openAt, openTwice, type Engine } from './engine.ts';
import { close, intend } from './intend.ts';

/** What every ledger promises about intents. */
export function intentsConformance(engine: Engine): void {
  const { name, place } = engine;

  test(`${name}: the database itself refuses a second open intent of a login`, async () => {
    const [one, two] = await openTwice(engine);
    const intent = await intend(one);
    await expect(intend(two)).rejects.toThrow(/unique/i);
    expect(await openIntent(two.db, 'main')).toEqual(intent);
    await close(two, intent);
    expect(await openIntent(one.db, 'main')).toBeUndefined();
    expect((await intend(one)).id).not.toBe(intent.id);
  });

  test(`${name}: open work is found by login and counted`, async () => {
    const ledger = await openAt(await place());
    await createAttempt(ledger.db, await intend(ledger), 1, NOW);
    await feedState(ledger.db, 'south', 'other');
    await feedState(ledger.db, 'east', 'idle');
    await updateFeed(ledger.db, 'south', { candidate: 'run' });
    expect(await loginsWithWork(ledger.db)).toEqual(['main', 'other']);
    expect(await openWork(ledger.db)).toEqual({ runs: 0, uploads: 1 });
  });
}
