import { analyse } from 'chardet';
import jschardet from 'jschardet';

export type CharsetPeer = (bytes: Buffer) => string | null;

/** What else npm has for finding a charset; null when it does not know. */
export const CHARSET_PEERS: Record<string, CharsetPeer> = {
  jschardet: (bytes) => jschardet.detect(bytes).encoding?.toLowerCase() ?? null,
  chardet: (bytes) => {
    const [best] = analyse(bytes);
    return best === undefined || best.confidence === 0 ? null : best.name.toLowerCase();
  },
};
