import type { AuthConfig } from '../../src/config/schema/sources/auth.ts';
import { createOffers, type Offers } from '../../src/service/offers/offers.ts';
import type { UploadLayout } from '../../src/service/client.ts';
import type { OfferFile } from '../../src/service/offers/upload.ts';

const LAYOUT: UploadLayout = { body: 'multipart', field: 'offersFile', parametersIn: 'query' };

/** A client of the offer operations at an address. */
export function clientOf(
  url: string,
  { auth = { type: 'none' }, layout = {} }: { auth?: AuthConfig; layout?: Partial<UploadLayout> } = {},
): Offers {
  return createOffers({ baseUrl: () => Promise.resolve(url), auth, timeout: 5000 }, { ...LAYOUT, ...layout });
}

/** An offer file in memory, in the given pieces. */
export function offerOf(pieces: (string | Buffer)[], changes: Partial<OfferFile> = {}): OfferFile {
  const chunks = pieces.map((piece) => Buffer.from(piece));
  async function* content() {
    yield* chunks;
  }
  return {
    name: 'offerline-main-abc.txt',
    bytes: chunks.reduce((sum, chunk) => sum + chunk.length, 0),
    content: content(),
    delimiter: null,
    charsetName: 'UTF-8',
    ...changes,
  };
}

/** A sender that nothing stops. */
export const FREELY = { signal: new AbortController().signal, fence: (body: AsyncIterable<Buffer>) => body };
