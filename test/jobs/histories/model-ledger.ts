import {
  decideChange,
  type ChangeDecision,
  type FeedChange,
  type LostBefore,
} from '../../../src/jobs/feeds/feed-change.ts';
import type { IncidentFacts } from '../../../src/incidents.ts';
import type { LiveFacts } from '../../../src/jobs/logins/live-now.ts';
import { inWinningOrder } from '../../../src/jobs/feeds/what-to-compose.ts';
import type { DatasetPart, FeedAccount } from '../../../src/ledger/schema/schema.ts';
import type { LocalCounts } from '../../../src/model.ts';
import { partKey } from '../../../src/parts/part-key.ts';
import { reconcile } from '../../../src/report/reconcile.ts';
import type { Earlier, KeptRejections, modelFiles } from './model-files.ts';

const STRANGER: IncidentFacts = {
  kind: 'foreign-upload',
  login: 'main',
  feed: null,
  run: null,
  text: 'something else is live',
};

/** A delivery of a feed as it was read: its accepted rows, and how many were not accepted. */
export type Delivery = { feed: string; lines: readonly string[]; rejectedLocally: number; duplicates: number };

/** What is to be sent: a dataset, from whom, and which deliveries it carries. */
export type Intent = {
  id: string;
  at: number;
  deliveries: ReadonlyMap<string, Delivery>;
  delivered: ReadonlySet<string>;
  isRollback: boolean;
  index: readonly string[];
  parts: DatasetPart[];
  result: 'met' | 'unproved' | 'failed' | 'refused' | null;
  accounts: Map<string, FeedAccount>;
  rejections: KeptRejections[];
};

/** What the service says of a success. `oems` are those that its errors file names. */
export type Said = { oems: string[]; untraced: number; errorsKnown: boolean; processed: number | null };

export type Decided = { change: FeedChange; decision: ChangeDecision };

type Upload = { intent: Intent; offerId: string; closedAt: number };

/**
 * What the ledger keeps of a login, in memory: it gathers facts as `liveFacts` and `changesOf` do and concludes nothing itself; all
 * that is concluded comes from the product's own functions.
 */
export function modelLedger(files: ReturnType<typeof modelFiles>, allowed: number) {
  const uploads: Upload[] = [];
  const contributions = new Map<string, Delivery>();
  const lostRows = new Map<string, LostBefore & { live: number; told: number }>();
  const incidents: { foreign: number | null; late: number | null } = { foreign: null, late: null };
  let unverified: string | null = null;
  let open: string | null = null;

  const newest = (which: (upload: Upload) => boolean): Upload | undefined =>
    uploads.filter(which).toSorted((a, b) => b.closedAt - a.closedAt)[0];
  const lastVerified = () => newest(({ intent }) => intent.result === 'met');

  function facts(): LiveFacts {
    const proved = lastVerified();
    const success = newest(() => true);
    const seen = [incidents.foreign, incidents.late].filter((at) => at !== null);
    return {
      proved:
        proved === undefined
          ? null
          : { intent: proved.intent.id, offerId: proved.offerId, at: proved.closedAt, feeds: proved.intent.accounts },
      elsewhere: seen.map((seenAt) => ({ incident: STRANGER, seenAt })),
      unproved: success === undefined || success.intent.result === 'met' ? null : { offerId: success.offerId },
      unverified,
      open: open === null ? null : { name: open },
    };
  }

  /** Draws each feed's account, as `accountsOf` does. */
  function draw(intent: Intent, said: Said, proved: boolean): void {
    const keys = new Set(said.oems.map((oem) => partKey('BOSCH', oem)));
    intent.accounts = new Map();
    intent.rejections = [];
    for (const { feed, outranked } of intent.parts) {
      const { lines, rejectedLocally, duplicates } = intent.deliveries.get(feed)!;
      const local: LocalCounts = {
        read: lines.length + rejectedLocally + duplicates,
        expanded: 0,
        accepted: lines.length,
        rejectedLocally,
        duplicates,
        leftOut: 0,
        skipped: 0,
      };
      const mine = intent.index.map((line) => line.split('\t')).filter(([of]) => of === feed);
      const rejected = mine.filter(([, , brand = '', oem = '']) => keys.has(partKey(brand, oem)));
      const counts = reconcile({
        local,
        outranked,
        rejectedRemotely: rejected.length,
        finished: proved ? 'success' : 'other',
        untraced: said.untraced,
        errorsKnown: said.errorsKnown,
        lines: { sent: intent.index.length, processed: said.processed },
      });
      const exact = rejected.map(([, , ...cells]) => JSON.stringify({ match: 'exact', cells }));
      const none = Array.from({ length: said.untraced }, () => JSON.stringify({ match: 'none', cells: [] }));
      intent.accounts.set(feed, counts);
      intent.rejections.push({ feed, lines: [...exact, ...none] });
    }
  }

  /** What a proof changes for every feed, as `changesOf` gathers it. */
  async function changesOf({ parts, accounts, rejections, delivered }: Intent): Promise<FeedChange[]> {
    const proved = lastVerified();
    const feeds = new Set([...contributions.keys(), ...parts.map(({ feed }) => feed)]);
    const intents = new Set([proved?.intent.id, ...[...lostRows.values()].map(({ before }) => before)]);
    const earlier = [...intents].flatMap((id): Earlier[] => {
      const upload = uploads.find(({ intent }) => intent.id === id);
      if (upload === undefined) return [];
      const asked = upload.intent.rejections.filter(
        ({ feed }) => id === proved?.intent.id || lostRows.get(feed)?.before === id,
      );
      return [{ index: upload.intent.index, rejections: asked }];
    });
    const lost = await files.lost(rejections, earlier);
    const compared = new Set(earlier.flatMap((one) => one.rejections.map(({ feed }) => feed)));
    return [...feeds].map((feed) => {
      const loss = lostRows.get(feed);
      return {
        feed,
        run: feed,
        delivered: delivered.has(feed),
        before: proved?.intent.accounts.get(feed) ?? null,
        after: accounts.get(feed) ?? null,
        beforeIntent: proved?.intent.id ?? null,
        lost: (accounts.get(feed)?.rejectedRemotely ?? 0) === 0 ? 0 : compared.has(feed) ? lost.get(feed)! : null,
        open: loss === undefined ? null : rememberedOf(loss),
        allowed,
      };
    });
  }

  async function prove(upload: Upload): Promise<Decided[]> {
    const { intent, offerId } = upload;
    const decided = (await changesOf(intent)).map((change) => ({ change, decision: decideChange(change, offerId) }));
    for (const { change, decision } of decided) {
      const { lostRows: loss } = decision;
      const was = lostRows.get(change.feed);
      if (loss !== null && 'recover' in loss) lostRows.delete(change.feed);
      if (loss === null || 'recover' in loss) continue;
      const again = was === undefined || was.grewIn !== loss.numbers.grewIn;
      lostRows.set(change.feed, { ...loss.numbers, told: (was?.told ?? 0) + (again ? 1 : 0) });
    }
    intent.result = 'met';
    const inIt = new Set(intent.parts.map(({ feed }) => feed));
    for (const feed of intent.isRollback ? inIt : intent.delivered) {
      contributions.set(feed, intent.deliveries.get(feed)!);
    }
    for (const feed of contributions.keys()) if (!inIt.has(feed)) contributions.delete(feed);
    return decided;
  }

  return {
    facts,
    lostRows: lostRows as ReadonlyMap<string, LostBefore & { live: number; told: number }>,
    incidents,
    lastVerified,
    newest: () => newest(() => true),
    /** Composes what was delivered with what the other feeds contribute. */
    compose: async (
      deliveries: Delivery[],
      feeds: Record<string, { priority: number }>,
      { id, at }: Pick<Intent, 'id' | 'at'>,
    ): Promise<Intent> => {
      const candidates = new Map(deliveries.map((delivery) => [delivery.feed, delivery]));
      const bringing = inWinningOrder(Object.entries(feeds))
        .map((feed) => candidates.get(feed) ?? contributions.get(feed))
        .filter((delivery) => delivery !== undefined);
      const { index, parts } = await files.compose(bringing);
      const all = new Map(bringing.map((delivery) => [delivery.feed, delivery]));
      const delivered = new Set(candidates.keys());
      const nothing = { result: null, accounts: new Map(), rejections: [] };
      return { id, at, deliveries: all, delivered, isRollback: false, index, parts, ...nothing };
    },
    sent: (offerId: string): void => {
      open = offerId;
    },
    refused: (intent: Intent): void => {
      intent.result = 'refused';
    },
    failed: (intent: Intent, offerId: string): void => {
      intent.result = 'failed';
      open = null;
      if (newest(() => true) !== undefined) unverified = offerId;
    },
    /** Settles a success, proved or not. */
    succeeded: async (upload: Upload, said: Said, proved: boolean): Promise<Decided[]> => {
      const { intent } = upload;
      draw(intent, said, proved);
      open = null;
      const decided = proved ? await prove(upload) : [];
      if (!proved) intent.result = 'unproved';
      if (!uploads.includes(upload)) uploads.push(upload);
      unverified = null;
      return decided;
    },
    /** Something was accepted after it was given up: it is recorded, and settled by nobody. */
    late: (upload: Upload): void => {
      uploads.push(upload);
    },
    provedAgain: (): void => {
      unverified = null;
    },
  };
}

function rememberedOf({ before, offerId, wasLive, lost, grewIn }: LostBefore): LostBefore {
  return { before, offerId, wasLive, lost, grewIn };
}
