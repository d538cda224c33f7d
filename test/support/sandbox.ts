import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/server.ts';
import { atEnd } from './at-end.ts';
import { bringReference } from './reference.ts';
import { tempFolder } from './temp-folder.ts';

/** A record of `offer/list`; ids are kept as text because they are larger than a number can hold. */
export type ListedOffer = { id: string; state: string; sourceFile: string; linesProcessed: number };

/** A sandbox of a test with its own data folder, quick unless told otherwise. */
export async function sandboxForTest(options: Partial<SandboxOptions> = {}) {
  const { dataDir = tempFolder() } = options;
  bringReference(dataDir);
  const sandbox: Sandbox = await startSandbox({ pace: { queued: 10, processing: 30 }, ...options, dataDir });
  atEnd(() => sandbox.close());
  return {
    ...sandbox,
    /** All uploads that the service accepted, newest first, of the login with these headers. */
    offers: async (headers: Record<string, string> = {}): Promise<ListedOffer[]> => {
      const reply = await fetch(`${sandbox.url}/us2/public/offer/list?size=100`, { headers });
      const text = (await reply.text()).replaceAll(/"id":(\d+)/g, '"id":"$1"');
      return (JSON.parse(text) as { data: ListedOffer[] }).data;
    },
    /** The text of an upload as the service keeps it. */
    source: async (id: string, headers: Record<string, string> = {}): Promise<string> =>
      (await fetch(`${sandbox.url}/us2/public/offer/source?offerId=${id}`, { headers })).text(),
  };
}
