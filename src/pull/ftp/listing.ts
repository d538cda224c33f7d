import { type Client, type FileInfo, parseList } from 'basic-ftp';

/** What the last listing of a connection was like. */
export type Listing = {
  /** It has a line that is none of a listing, as the rest of a name with a line break: some names may be halves. */
  isBroken: boolean;
};

/** Lets listings be read line by line: one that cannot be read must not hide the other files. */
export function readableListing(client: Client): Listing {
  const listing: Listing = { isBroken: false };
  client.parseList = (text) => {
    listing.isBroken = false;
    return text.split(/\r?\n/u).flatMap((line): FileInfo[] => {
      try {
        return parseList(line);
      } catch {
        listing.isBroken ||= !/^total \d+$/iu.test(line);
        return [];
      }
    });
  };
  return listing;
}
