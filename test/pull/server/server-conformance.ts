import { describe } from 'vitest';
import type { ServerSource } from '../../../src/config/schema/source-schema.ts';
import type { CannotShow } from '../cannot-show.ts';
import { startTap, type Tap } from '../../support/servers/tap.ts';
import { acknowledgeConformance, refusesToAcknowledge } from './acknowledge-conformance.ts';
import { choiceConformance } from './choice-conformance.ts';
import { resultConformance } from './result-conformance.ts';
import { type Supplier, supplierIn } from './supplier.ts';
import { transferConformance } from './transfer-conformance.ts';

/** A server of this machine with a place that a supplier delivers to. */
export type ServerBench = {
  source: ServerSource;
  /** The same server, and a folder that it has not; by default the one at another `path`. */
  nowhere?: ServerSource;
  /** Where there are real folders: the one behind the place. */
  folder?: string;
  /** By default one who writes into the folder. */
  supplier?: Supplier;
  stop: () => Promise<void>;
  /** Starts the server again after it was stopped. */
  restart?: () => Promise<void>;
};

type Kind = {
  /** The server behind a line; by default one of one port, and the port of the source. */
  startTapped?: () => Promise<ServerBench & { tap: Tap }>;
  /** Nothing there can be moved or deleted. */
  readOnly?: true;
  /** Files appear there at once, so that nobody waits for them to settle. */
  isWhole?: boolean;
  /** How many files one is found among, where ten thousand take too long to be put there. */
  many?: number;
  /**
   * It runs in this process, one of many: fewer and smaller files do, and what lasts until a silence is noticed is left to the real
   * servers of its protocol.
   */
  isDouble?: boolean;
  /** What its listings cannot carry. */
  cannotShow?: CannotShow;
};

/** What every folder on a server must do beyond the contract of all sources. */
export function serverConformance(
  kind: string,
  missing: boolean,
  startBench: () => Promise<ServerBench>,
  {
    startTapped = () => tapped(startBench),
    readOnly,
    isWhole = false,
    isDouble = false,
    many = isDouble ? 100 : 10_000,
    cannotShow = [],
  }: Kind = {},
): void {
  const start = async () => withSupplier(await startBench());
  describe.skipIf(missing)(`a folder on a server of ${kind}`, () => {
    choiceConformance(start, { many, isWhole, cannotShow });
    transferConformance(start, async () => withSupplier(await startTapped()), { cannotShow, isDouble });
    if (readOnly === true) return;
    if (cannotShow.includes('exact times')) refusesToAcknowledge(start);
    else acknowledgeConformance(start);
    if (!isDouble) resultConformance(start);
  });
}

function withSupplier<T extends ServerBench>(bench: T): T & { supplier: Supplier } {
  return { ...bench, supplier: bench.supplier ?? supplierIn(bench.folder!) };
}

async function tapped(start: () => Promise<ServerBench>): Promise<ServerBench & { tap: Tap }> {
  const bench = await start();
  const facts: Record<string, unknown> = bench.source;
  const key = ['url', 'endpoint'].find((name) => typeof facts[name] === 'string');
  const url = key === undefined ? undefined : new URL(facts[key] as string);
  const tap = await startTap([{ to: { port: Number(url === undefined ? facts['port'] : url.port) } }]);
  if (url !== undefined) url.port = String(tap.port);
  const change = key === undefined ? { port: tap.port } : { [key]: url!.href };
  return { ...bench, source: { ...bench.source, ...change } as ServerSource, tap };
}
