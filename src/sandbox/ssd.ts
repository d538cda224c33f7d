import { createHmac, timingSafeEqual } from 'node:crypto';
import { Refusal } from './http/reply.ts';

/** What a server data string stands for: one vehicle of one catalog, and where in it the reply was given. */
export type SsdContent = {
  /** Code of the catalog. */
  catalog: string;
  /** The vehicle's row in the reference database. */
  vehicle: number;
  /** Whatever an operation wants to find again, such as `unit NRD1101`. */
  place?: string;
};

/** Writes and checks the opaque strings that clients carry from one reply to the next call. */
export type Ssd = {
  /** The same content gives the same string in one data folder, and another one in each other. */
  write: (content: SsdContent) => string;
  /** What it stands for; refuses with 400 a string that this data folder did not write. */
  read: (text: string) => SsdContent;
};

const MAC_LETTERS = 22;

/** `key` is the data folder's own. Letters, digits, - and _ only: it fits into a query and into a command line. */
export function createSsd(key: Buffer): Ssd {
  const ownKey = createHmac('sha256', key).update('ssd').digest();
  const macOf = (body: string) => createHmac('sha256', ownKey).update(body).digest('base64url').slice(0, MAC_LETTERS);
  return {
    write: (content) => {
      const body = Buffer.from(JSON.stringify(content)).toString('base64url');
      return macOf(body) + body;
    },
    read: (text) => {
      const body = text.slice(MAC_LETTERS);
      const written = Buffer.from(text.slice(0, MAC_LETTERS));
      const expected = Buffer.from(macOf(body));
      if (written.length !== expected.length || !timingSafeEqual(written, expected)) throw foreign();
      return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as SsdContent;
    },
  };
}

function foreign(): Refusal {
  return new Refusal(400, 'INVALID_SSD', 'The parameter ssd is not one that this service gave; pass it on unchanged.');
}
