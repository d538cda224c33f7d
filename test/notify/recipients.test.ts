import { describe, expect, test } from 'vitest';
import type { Manager } from '../../src/config/schema/schema.ts';
import {
  brandsWatched,
  digestRecipients,
  runRecipients,
  incidentRecipients,
  type Occasion,
} from '../../src/notify/recipients.ts';

function manager(changes: Partial<Manager> = {}): Manager {
  return { email: 'parts@example.com', audience: 'managers', when: ['problem', 'recovered'], ...changes };
}

/** Whether this one manager is told of an incident of the feed north. */
function isTold(one: Manager, changes: Partial<Occasion> = {}): boolean {
  const occasion = {
    kind: 'delivery',
    phase: 'problem',
    feeds: ['north'],
    touched: new Set<string>(),
    managersKnow: false,
  } as const;
  return incidentRecipients([one], { ...occasion, ...changes }).length === 1;
}

const PHASES = ['problem', 'reminder', 'affected', 'recovery'] as const;

describe('when', () => {
  test.each([
    { when: 'problem', told: ['problem', 'reminder'] },
    { when: 'recovered', told: ['recovery'] },
    { when: 'always', told: ['problem', 'reminder', 'recovery'] },
    { when: 'daily', told: [] },
  ] as const)('$when is told of $told', ({ when, told }) => {
    expect(PHASES.filter((phase) => isTold(manager({ when: [when] }), { phase }))).toEqual(told);
  });

  test('every run is for those with always, and each address once', () => {
    const managers = [
      manager(),
      manager({ email: 'a@x.de', when: ['always'] }),
      manager({ email: 'A@x.de', when: ['always', 'daily'] }),
      manager({ email: 'b@x.de', when: ['always'], feeds: ['south'] }),
    ];
    expect(runRecipients(managers, 'north', false).map(({ email }) => email)).toEqual(['a@x.de']);
  });

  test('a digest is for those who want it, about the feeds that they watch', () => {
    const managers = [
      manager(),
      manager({ email: 'a@x.de', when: ['daily'], feeds: ['south'] }),
      manager({ email: 'A@x.de', when: ['daily'], feeds: ['east'] }),
      manager({ email: 'b@x.de', when: ['daily', 'problem'] }),
      manager({ email: 'c@x.de', when: ['weekly'] }),
    ];
    const feeds = ['north', 'east', 'south'];
    expect(digestRecipients(managers, 'daily', feeds)).toEqual([
      { email: 'a@x.de', feeds: ['east', 'south'] },
      { email: 'b@x.de', feeds },
    ]);
    expect(digestRecipients(managers, 'weekly', feeds)).toEqual([{ email: 'c@x.de', feeds }]);
  });
});

describe('for whom', () => {
  test('feeds: all of them, or the named ones; a login concerns everyone who watches one of its feeds', () => {
    expect(isTold(manager())).toBe(true);
    expect(isTold(manager({ feeds: ['south', 'north'] }))).toBe(true);
    expect(isTold(manager({ feeds: ['south'] }))).toBe(false);
    expect(isTold(manager({ feeds: [] }))).toBe(false);
    expect(isTold(manager({ feeds: ['south'] }), { kind: 'credentials', feeds: ['north', 'south'] })).toBe(true);
  });

  test('brands: rejected rows concern those who sell the brand, everything else concerns all', () => {
    const brakes = manager({ brands: ['BREMBO', 'ATE'] });
    const rejected = (brand: string) => ({ kind: 'rejected-rows', touched: new Set([brand]) }) as const;
    expect(isTold(brakes, rejected('ATE'))).toBe(true);
    expect(isTold(brakes, rejected('BOSCH'))).toBe(false);
    expect(isTold(brakes, { ...rejected('BOSCH'), phase: 'recovery' })).toBe(false);
    expect(isTold(brakes)).toBe(true);
    expect(isTold(brakes, { kind: 'missing-delivery' })).toBe(true);
  });

  test('an address that is written twice gets one mail', () => {
    const managers = [
      manager({ feeds: ['south'] }),
      manager({ when: ['always'] }),
      manager({ email: 'PARTS@example.com' }),
      manager({ email: 'b@x.de' }),
    ];
    const occasion = {
      kind: 'delivery',
      phase: 'problem',
      feeds: ['north'],
      touched: new Set<string>(),
      managersKnow: false,
    } as const;
    expect(incidentRecipients(managers, occasion).map(({ email }) => email)).toEqual(['parts@example.com', 'b@x.de']);
  });
});

test('the brands worth looking for are those of the feed’s managers', () => {
  const managers = [manager({ brands: ['ATE'] }), manager({ feeds: ['south'], brands: ['BOSCH'] }), manager()];
  expect(brandsWatched(managers, 'north')).toEqual(new Set(['ATE']));
});

describe('audience', () => {
  const managers = [manager({ email: 'm@x.de' }), manager({ email: 'ops@x.de', audience: 'ops' })];
  const OCCASION = { feeds: ['north'], touched: new Set<string>(), managersKnow: false } as const;
  const toldOf = (occasion: Pick<Occasion, 'kind' | 'phase'> & Partial<Occasion>, whom = managers) =>
    incidentRecipients(whom, { ...OCCASION, ...occasion }).map(({ email }) => email);

  test('the service and the installation are the business of ops, the suppliers that of managers', () => {
    for (const kind of ['credentials', 'unreachable', 'receipt', 'stuck-upload', 'fault', 'damaged-archive'] as const) {
      expect(toldOf({ kind, phase: 'problem' })).toEqual(['ops@x.de']);
    }
    for (const kind of ['missing-delivery', 'expiry', 'rejected-rows', 'frozen-feed', 'lost-rows'] as const) {
      expect(toldOf({ kind, phase: 'problem' })).toEqual(['m@x.de']);
    }
  });

  test('a delivery that did not get through because of us is that of both', () => {
    const ended = (outcome: 'failed' | 'rejected', cause: 'disk-full' | 'file-unusable') => ({ outcome, cause });
    const delivery = { kind: 'delivery', phase: 'problem' } as const;
    expect(toldOf({ ...delivery, ended: ended('failed', 'disk-full') })).toEqual(['m@x.de', 'ops@x.de']);
    expect(toldOf({ ...delivery, ended: ended('rejected', 'file-unusable') })).toEqual(['m@x.de']);
  });

  test('managers are told of what affects what is live after a while, and then that it is over', () => {
    const denied = { kind: 'credentials' } as const;
    expect(toldOf({ ...denied, phase: 'affected' })).toEqual(['m@x.de']);
    expect(toldOf({ ...denied, phase: 'recovery' })).toEqual(['ops@x.de']);
    expect(toldOf({ ...denied, phase: 'recovery', managersKnow: true })).toEqual(['m@x.de', 'ops@x.de']);
  });

  test('where nobody who watches the feed is ops, managers get everything at once', () => {
    const elsewhere = [manager({ email: 'm@x.de' }), manager({ audience: 'ops', feeds: ['south'] })];
    expect(toldOf({ kind: 'credentials', phase: 'problem' }, elsewhere)).toEqual(['m@x.de']);
    expect(toldOf({ kind: 'credentials', phase: 'affected' }, elsewhere)).toEqual([]);
  });

  test('where all are ops, they get what concerns suppliers, too', () => {
    const alone = [manager({ email: 'ops@x.de', audience: 'ops' })];
    expect(toldOf({ kind: 'missing-delivery', phase: 'problem' }, alone)).toEqual(['ops@x.de']);
  });
});
