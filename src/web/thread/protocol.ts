import type { Gauge } from '../../gauge.ts';
import type { ThreadError } from '../../threads/messages.ts';
import type { Operation, OperationName } from '../actions/operations.ts';
import type { Asker } from '../actions/world.ts';

/** What the console's thread is started with: how the configuration is found again, and credentials that no text may show. */
export type ThreadStart = {
  config: { file: string; home: string };
  env: Record<string, string | undefined>;
  credentials: string[];
};

/** What the console asks of the process that works. */
export type Call = { call: number; name: OperationName; args: unknown; asker: Asker };

/** What the thread says: where it listens, why it cannot, or what it asks for. */
export type FromThread = { listening: { host: string; port: number } } | { refused: ThreadError } | Call;

/** What the working process says: an answer, how far its work is, or that it ends. */
export type ToThread =
  | { answer: number; result: { ok: unknown } | { error: ThreadError } }
  | { gauges: [string, Gauge][] }
  | { close: true };

/** Asks the working process for something and waits for its answer. */
export type CallMain = <Name extends OperationName>(
  name: Name,
  args: Parameters<Operation<Name>>[0],
  asker: Asker,
) => Promise<Awaited<ReturnType<Operation<Name>>>>;
