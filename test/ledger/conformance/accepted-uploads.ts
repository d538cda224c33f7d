import { expect, test } from 'vitest';
import {
  accountsAt,
  verifiedUploads,
  lastVerified,
  latestAccepted,
  successBefore,
  verifiedAround,
} from '../../../src/ledger/uploads/accepted-uploads.ts';
import { getDataset, updateIntent } from '../../../src/ledger/uploads/intents.ts';
import { createAttempt, updateUpload } from '../../../src/ledger/uploads/uploads.ts';
import { NOW } from '../../upload/attempt.ts';
import { openAt, type Engine } from './engine.ts';
import { close, intend } from './intend.ts';

/** What every ledger promises about what was proved live. */
export function acceptedUploadsConformance(engine: Engine): void {
  const { name, place } = engine;

  test(`${name}: what is live is the newest success`, async () => {
    const ledger = await openAt(await place());
    expect(await latestAccepted(ledger.db, 'main')).toBeUndefined();
    const made: string[] = [];
    for (const [n, state] of (['success', 'success', 'failed'] as const).entries()) {
      const intent = await intend(ledger);
      const { id } = await createAttempt(ledger.db, intent, 1, NOW + n);
      await updateUpload(ledger.db, id, { state, closed_at: NOW + n });
      await close(ledger, intent);
      made.push(id);
    }
    const live = await latestAccepted(ledger.db, 'main');
    expect(live).toMatchObject({ upload: { id: made[1] }, dataset: { bytes: 5_000_000_000, rows: 12 } });
    expect(live?.dataset).toEqual(await getDataset(ledger.db, live?.intent.dataset ?? ''));
  });

  test(`${name}: what was accepted but could not be confirmed as live is live, and is none of the good ones`, async () => {
    const ledger = await openAt(await place());
    expect(await lastVerified(ledger.db, 'main')).toBeUndefined();
    const made: string[] = [];
    for (const [n, result] of (['met', 'met', 'unproved'] as const).entries()) {
      const intent = await intend(ledger);
      const { id } = await createAttempt(ledger.db, intent, 1, NOW + n);
      await updateUpload(ledger.db, id, { state: 'success', closed_at: NOW + n });
      await close(ledger, intent, result);
      made.push(id);
    }
    const [first = '', second = '', third = ''] = made;
    expect((await latestAccepted(ledger.db, 'main'))?.upload.id).toBe(third);
    expect((await lastVerified(ledger.db, 'main'))?.upload.id).toBe(second);
    expect((await successBefore(ledger.db, { login: 'main', id: third }))?.upload.id).toBe(second);
    expect((await verifiedUploads(ledger.db, 'main')).map(({ upload }) => upload.id)).toEqual([second, first]);
    expect(await lastVerified(ledger.db, 'other')).toBeUndefined();
  });

  test(`${name}: what was live before an upload is the one that was proved before it, whatever came after`, async () => {
    const ledger = await openAt(await place());
    const intents: string[] = [];
    for (const [n, result] of (['met', 'unproved', 'met', 'met'] as const).entries()) {
      const intent = await intend(ledger);
      const { id } = await createAttempt(ledger.db, intent, 1, NOW + n);
      await updateUpload(ledger.db, id, { state: 'success', closed_at: NOW + n });
      await close(ledger, intent, result);
      intents.push(intent.id);
    }
    const [first = '', unproved = '', third = ''] = intents;
    const around = async (intent: string) => {
      const { own, before } = await verifiedAround(ledger.db, { intent, login: 'main' });
      return [own?.intent.id, before?.intent.id];
    };
    expect(await around(third)).toEqual([third, first]);
    expect(await around(first)).toEqual([first, undefined]);
    expect(await around(unproved)).toEqual([undefined, undefined]);
  });

  test(`${name}: what was live at a moment is in the accounts of the newest upload that was proved until then`, async () => {
    const ledger = await openAt(await place());
    const ofLive = (live: number) => ({ ...ACCOUNT, live });
    for (const [n, result] of (['met', 'met', 'unproved', 'met'] as const).entries()) {
      const intent = await intend(ledger);
      const { id } = await createAttempt(ledger.db, intent, 1, NOW + n);
      await updateUpload(ledger.db, id, { state: 'success', closed_at: NOW + n });
      await close(ledger, intent, result);
      await updateIntent(ledger.db, intent.id, { accounts: { north: ofLive(n) } });
    }
    const liveAt = async (at: number) => (await accountsAt(ledger.db, 'main', at))?.get('north')?.live;
    expect(await Promise.all([-1, 0, 1, 2, 9].map((n) => liveAt(NOW + n)))).toEqual([undefined, 0, 1, 1, 3]);
    expect(await accountsAt(ledger.db, 'other', NOW)).toBeNull();
  });
}

const ACCOUNT = {
  read: 12,
  expanded: 0,
  accepted: 12,
  rejectedLocally: 0,
  duplicates: 0,
  leftOut: 0,
  skipped: 0,
  outranked: 0,
  contributed: 12,
  rejectedRemotely: 0,
  unexplained: 0,
};
