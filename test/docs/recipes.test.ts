import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { freePort } from '../support/free-port.ts';
import { playPage, stepsOf } from '../support/played-page.ts';
import { endPrivateRedis } from '../support/private-redis.ts';
import { lacks } from '../support/programs.ts';
import { tempFolder } from '../support/temp-folder.ts';

const page = readFileSync('docs/recipes.md', 'utf8');
const steps = stepsOf(page);

/** A shop whose service takes an upload and never finishes it: what the recipe of an upload that hangs begins with. */
function hanging(port: number): { begin: string; end: string } {
  return {
    begin: [
      'mkdir hanging; (cd hanging; printf "faults: [{ fault: stuck }]\\n" > faults.yaml)',
      `(cd hanging; exec offerline sandbox --port ${port} --data sandbox --faults faults.yaml) > hanging/sandbox.log 2>&1 & sandbox=$!`,
      'trap \'kill "$sandbox"\' EXIT',
      'until grep -q http hanging/sandbox.log; do kill -0 "$sandbox"; sleep 0.1; done',
      'export OFFERLINE_CONFIG="$PWD/hanging.yaml" OFFERLINE_HOME="$PWD/hanging/home"',
      'offerline ingest north --wait > hanging/ingest.txt 2>&1 || test $? = 4',
    ].join('\n'),
    end: [
      'kill "$sandbox"; wait "$sandbox" || true; trap - EXIT',
      'export OFFERLINE_CONFIG="$PWD/offerline.yaml"; unset OFFERLINE_HOME',
    ].join('\n'),
  };
}

test('there are ten recipes, each with commands', () => {
  const recipes = page.split(/^## \d+\. /mu).slice(1);
  expect(recipes).toHaveLength(10);
  expect(recipes.filter((recipe) => !recipe.includes('```sh\n'))).toEqual([]);
});

test.skipIf(lacks('bash'))('docs/recipes.md prints what it says', async () => {
  expect(steps.filter(({ output }) => output !== null).length).toBeGreaterThan(10);
  const folder = tempFolder();
  const port = await freePort();
  for (const home of ['.offerline', 'hanging/home', 'other-machine/.offerline']) {
    atEnd(() => endPrivateRedis(join(folder, home)));
  }
  writeFileSync(
    join(folder, 'hanging.yaml'),
    `service: { baseUrl: 'http://127.0.0.1:${port}', poll: { deadline: 2s, stall: 1s } }
logins: { main: {} }
feeds: { north: { login: main, source: { type: directory, path: ./inbox/north, pattern: 'monday.csv' } } }
`,
  );
  const { begin, end } = hanging(port);
  await playPage(steps, folder, {
    played: (commands) => {
      if (commands.startsWith('offerline logins\n')) return `${begin}\n${commands}`;
      if (commands.startsWith('offerline resolve ')) return `${commands}\n${end}`;
      // What stays is stopped once it works.
      return commands.replace(
        /^offerline worker$/mu,
        'offerline worker 2>worker.log & worker=$!; until grep -q ready worker.log; do kill -0 "$worker"; sleep 0.1; done; kill "$worker"; wait "$worker"',
      );
    },
  });
});
