import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { playPage, stepsOf } from '../support/played-page.ts';
import { endPrivateRedis } from '../support/private-redis.ts';
import { lacks } from '../support/programs.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The program that stays: the page ends it with Ctrl-C, and shows another terminal meanwhile. */
const STAYS = 'offerline up\n';

/** Its end is that of the shell, however that ends. */
const STARTED = [
  'offerline up 2>up.log & up=$!; trap \'kill "$up"\' EXIT',
  'until grep -q ready up.log; do kill -0 "$up"; sleep 0.1; done',
].join('\n');

const steps = stepsOf(readFileSync('docs/tutorial.md', 'utf8'));

test.skipIf(lacks('bash', 'zip'))(
  'docs/tutorial.md brings an empty folder to a live feed, and prints what it says',
  async () => {
    const folder = tempFolder();
    for (const home of ['shop/.offerline', 'several/.offerline']) atEnd(() => endPrivateRedis(join(folder, home)));
    expect(steps.filter(({ output }) => output !== null).length).toBeGreaterThan(6);
    await playPage(steps, folder, {
      played: (commands) => (commands === STAYS ? STARTED : commands),
      last: 'kill "$up"; wait "$up"; trap - EXIT',
    });
  },
);
