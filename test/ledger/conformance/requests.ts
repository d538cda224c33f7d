import { CompiledQuery, createQueryId, type RootOperationNode } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  endRequest,
  findRequest,
  heldLater,
  insertRequest,
  listRequests,
  requestOfRun,
  waitingRequest,
} from '../../../src/ledger/alerts/requests.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { createRun, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import type { RequestRow } from '../../../src/ledger/schema/schema.ts';
import { openAt, openTwice, type Engine } from './engine.ts';

const NOW = Date.UTC(2026, 4, 4, 6, 0, 0);

function request(id: string, set: Partial<RequestRow> = {}): RequestRow {
  return {
    id,
    action: 'approve',
    scope: 'feed north',
    login: 'main',
    feed: 'north',
    run: 'r1',
    upload: null,
    live: null,
    rows_sha: null,
    who: 'root',
    known_as: 'anna',
    token: null,
    owner: null,
    reason: 'season end',
    via: 'cli',
    origin: 'desk',
    at: NOW,
    ends_at: NOW + 86_400_000,
    ended_at: null,
    ended_how: null,
    ended_by: null,
    ended_reason: null,
    ...set,
  };
}

/** What every ledger promises about what waits for a second person. */
export function requestsConformance(engine: Engine): void {
  describe(`requests on ${engine.name}`, () => {
    const open = async () => openAt(await engine.place());

    test('one waits for a feed at a time; when it has ended, another one may', async () => {
      const { db } = await open();
      expect(await insertRequest(db, request('a'))).toBe(true);
      expect(await insertRequest(db, request('b', { run: 'r2' }))).toBe(false);
      expect(await insertRequest(db, request('c', { scope: 'login main', feed: null, run: null }))).toBe(true);
      expect(await waitingRequest(db, 'feed north')).toEqual(request('a'));
      expect(await endRequest(db, 'a', { at: NOW + 1, how: 'declined', by: 'bernd', reason: 'no' })).toBe(true);
      expect(await waitingRequest(db, 'feed north')).toBeUndefined();
      expect(await insertRequest(db, request('b', { at: NOW + 2 }))).toBe(true);
      expect((await listRequests(db)).map(({ id }) => id)).toEqual(['c', 'b']);
      expect((await listRequests(db, { all: true })).map(({ id }) => id)).toEqual(['a', 'c', 'b']);
      expect(await requestOfRun(db, 'r1')).toMatchObject({ id: 'b' });
      expect(await requestOfRun(db, 'r9')).toBeUndefined();
      expect(await findRequest(db, 'a')).toMatchObject({ ended_how: 'declined', ended_by: 'bernd', ended_at: NOW + 1 });
    });

    test('of many who ask at once, in two processes, one does; of many who end it, one does', async () => {
      const ledgers = await openTwice(engine);
      const of = (n: number) => ledgers[n % 2 === 0 ? 0 : 1].db;
      const asked = await Promise.all(Array.from({ length: 12 }, (_, n) => insertRequest(of(n), request(`q${n}`))));
      expect(asked.filter(Boolean)).toHaveLength(1);
      const { id } = (await waitingRequest(of(0), 'feed north'))!;
      const ending = (n: number) => ({ at: NOW + n, how: 'agreed', by: `person ${n}`, reason: 'seen' }) as const;
      const ended = await Promise.all(Array.from({ length: 12 }, (_, n) => endRequest(of(n), id, ending(n))));
      expect(ended.filter(Boolean)).toHaveLength(1);
      expect(await findRequest(of(1), id)).toMatchObject({ ended_by: `person ${ended.indexOf(true)}` });
    });

    test('a held run goes before an older one with other bytes', async () => {
      const ledger = await open();
      const held = async (sha: string, taken_at: number | null, set = {}) => {
        const { id } = await create(ledger);
        await updateRun(ledger.db, id, { outcome: 'held', stage: 'done', delivery_sha: sha, taken_at, ...set });
        return getRun(ledger.db, id);
      };
      const older = await held('a', NOW);
      expect(await heldLater(ledger.db, older)).toBeUndefined();
      await held('a', NOW + 1);
      await held('b', NOW - 1);
      await held('c', NOW + 2, { outcome: 'rejected' });
      await held('d', NOW + 2, { feed: 'south' });
      expect(await heldLater(ledger.db, older)).toBeUndefined();
      const newer = await held('e', NOW + 3);
      expect(await heldLater(ledger.db, older)).toBe(newer.id);
      expect(await heldLater(ledger.db, newer)).toBeUndefined();
    });

    test.runIf(engine.name === 'sqlite')(
      'whether a newer run is held is looked up among the held runs alone',
      async () => {
        const ledger = await open();
        const { id } = await create(ledger);
        const nodes: RootOperationNode[] = [];
        const watched = ledger.db.withPlugin({
          transformQuery: ({ node }) => (nodes.push(node), node),
          transformResult: ({ result }) => Promise.resolve(result),
        });
        await heldLater(watched, await getRun(ledger.db, id));
        const { sql, parameters } = ledger.db.getExecutor().compileQuery(nodes[0]!, createQueryId());
        const plan = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
        const { rows } = await ledger.db.executeQuery<{ detail: string }>(plan);
        expect(rows.map(({ detail }) => detail).join()).toContain('runs_held');
      },
    );
  });
}

async function create({ db }: Ledger): Promise<{ id: string }> {
  const id = await createRun(db, {
    feed: 'north',
    login: 'main',
    cause: 'manual',
    options: {},
    sandbox: false,
    now: NOW,
  });
  return { id };
}
