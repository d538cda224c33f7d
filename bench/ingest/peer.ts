import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

/** What plain programs need for the same bytes, in seconds. */
export type Plain = { copyAndHash: number; download: number; upload: number; process: number };

/**
 * Lets `cp` and `sha256sum` take the delivery, and `curl` read back what a login has uploaded and upload it under another login; waits
 * until the service has processed that.
 */
export async function plainly(delivery: string, offerId: string, folder: string, url: string): Promise<Plain> {
  const [copy, source] = [`${folder}/copy`, `${folder}/source.txt`];
  const call = (user: string, operation: string, ...words: string[]) =>
    execFileSync('curl', ['-sSf', '-u', `${user}:bench`, ...words, `${url}/us2/public/offer/${operation}`], {
      encoding: 'utf8',
    });
  const state = () => (JSON.parse(call('peer', 'list')) as { data: { state: string }[] }).data[0]?.state;
  return {
    copyAndHash: await seconds(() => {
      execFileSync('cp', [delivery, copy]);
      execFileSync('sha256sum', [copy]);
    }),
    download: await seconds(() => call('main', `source?offerId=${offerId}`, '-o', source)),
    upload: await seconds(() => call('peer', 'process', '-F', `offersFile=@${source}`)),
    process: await seconds(async () => {
      while (state() !== 'success') await wait(100);
    }),
  };
}

async function seconds(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
