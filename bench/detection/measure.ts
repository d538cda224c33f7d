import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { detect } from '../../src/detect/detect.ts';
import type { Detection } from '../../src/model.ts';
import { CHARSET_PEERS } from './charset-peers.ts';
import { dialectPeers, type DialectAnswer } from './dialect-peers.ts';
import { isSameCharset, type Labelled } from './labelled.ts';
import type { Tallies } from './tally.ts';

export const OURS = 'offerline';

type Expected = { delimiter: string | null; quote: string };

/** Runs every detector on a text or on bytes and counts what each says. Files are written into `folder`. */
export async function measuring(folder: string) {
  const peers = await dialectPeers(folder);
  const detectBytes = (bytes: Uint8Array): Promise<Detection> => {
    const path = join(folder, 'file.csv');
    writeFileSync(path, bytes);
    return detect(path);
  };

  return {
    async charset(counts: Tallies, measures: string[], file: Pick<Labelled, 'bytes' | 'charset'>): Promise<Detection> {
      const found = await detectBytes(file.bytes);
      const answers: Record<string, string | null> = { [OURS]: found.charset };
      for (const [peer, ask] of Object.entries(CHARSET_PEERS)) answers[peer] = ask(file.bytes);
      for (const [detector, answer] of Object.entries(answers)) {
        const isSure = detector === OURS ? found.sure : answer !== null;
        const isRight = answer !== null && isSameCharset(file, answer);
        for (const measure of measures) counts.add(measure, detector, { isRight, isSure });
      }
      return found;
    },

    /** `text` is what the bytes decode to: what the peers are given. */
    async dialect(counts: Tallies, measures: string[], expected: Expected, bytes: Uint8Array, text: string) {
      const found = await detectBytes(bytes);
      const answers: [string, DialectAnswer, boolean][] = [[OURS, found, found.sure]];
      for (const [peer, ask] of Object.entries(peers)) {
        const answer = await ask(text);
        answers.push([peer, answer, answer !== null]);
      }
      for (const [detector, answer, isSure] of answers) {
        const isRight = answer?.delimiter === expected.delimiter;
        const isBoth = isRight && (answer?.quote ?? '') === expected.quote;
        for (const measure of measures) {
          counts.add(`delimiter, ${measure}`, detector, { isRight, isSure });
          counts.add(`delimiter and quote, ${measure}`, detector, { isRight: isBoth, isSure });
        }
      }
      return found;
    },
  };
}
