import type { ArrivalView } from '../../src/sandbox/arrivals.ts';
import type { FaultInput } from '../../src/sandbox/faults/schema.ts';

/** The control endpoint of a sandbox that serves it (docs/sandbox-faults.md). */
export function controlOf(url: string) {
  async function call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const response = await fetch(`${url}/control/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${method} /control/${path}: ${response.status} ${JSON.stringify(json)}`);
    return json;
  }
  return {
    /** From now on these faults act, and no others. */
    faults: (...faults: FaultInput[]) => call('PUT', 'faults', { faults }),
    /** These act too. */
    add: (...faults: FaultInput[]) => call('POST', 'faults', { faults }),
    clear: () => call('DELETE', 'faults'),
    /** The faults that are there, with what they did. */
    shown: async () => (await call('GET', 'faults'))['faults'] as { id: number; matched: number; acted: number }[],
    /** Everything that arrived, in order; what a fault uploaded included. */
    uploads: async () => (await call('GET', 'uploads'))['uploads'] as ArrivalView[],
    /** Lets time pass; answers when everything that has become due is done. */
    advance: (by: string) => call('POST', 'clock', { advance: by }),
  };
}
