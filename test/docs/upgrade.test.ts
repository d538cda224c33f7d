import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { copyOlderHome, CREDENTIALS } from '../support/older-home.ts';
import { lacks } from '../support/programs.ts';

const page = readFileSync('docs/upgrade.md', 'utf8');

/** The commands of a section of the page that copy and move files. */
function fileCommands(title: string): string {
  const section = page.split(/^## /m).find((part) => part.startsWith(title)) ?? '';
  const lines = [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block]) => block!.split('\n'));
  return lines.filter((line) => /^(cp|mv|rm) /.test(line)).join('\n');
}

test.skipIf(lacks('sh'))(
  'docs/upgrade.md: a backup is enough to go back after a newer version has migrated the ledger',
  async () => {
    const env: NodeJS.ProcessEnv = { ...CREDENTIALS, SERVICE_URL: 'http://127.0.0.1:9' };
    const shop = install({}, env);
    const { home } = copyOlderHome(shop.folder);
    const run = (commands: string) => {
      expect(commands).toContain('/var/lib/offerline');
      const here = commands.replaceAll('/var/lib/offerline', home).replaceAll('/var/backups', shop.folder);
      execFileSync('sh', ['-euc', here]);
    };
    const older = migrationsOf(home);
    run(fileCommands('Steps'));

    const { status, stdout } = await shop.offerline('feeds');
    expect({ status, live: stdout.includes('north') }).toEqual({ status: 0, live: true });
    expect(migrationsOf(home).length).toBeGreaterThan(older.length);

    run(fileCommands('Going back'));
    expect(migrationsOf(home)).toEqual(older);
    expect(migrationsOf(`${home}-newer`).length).toBeGreaterThan(older.length);
  },
);

test('docs/upgrade.md quotes what a version says of a ledger that is too new for it', async () => {
  const shop = install({}, { ...CREDENTIALS, SERVICE_URL: 'http://127.0.0.1:9' });
  const { home } = copyOlderHome(shop.folder);
  await shop.offerline('feeds');
  const ledger = new DatabaseSync(join(home, 'ledger.sqlite'));
  ledger.exec("insert into kysely_migration values ('999-tomorrow', '2099-01-01')");
  ledger.close();
  const { status, stderr } = await shop.offerline('feeds');
  const [, quoted = ''] = /The older version ends with “(.*?)”/.exec(page) ?? [];
  expect({ status, said: quoted !== '' && stderr.includes(quoted) }).toEqual({ status: 1, said: true });
});

function migrationsOf(home: string): unknown[] {
  const ledger = new DatabaseSync(join(home, 'ledger.sqlite'), { readOnly: true });
  try {
    return ledger.prepare('select name from kysely_migration order by name').all();
  } finally {
    ledger.close();
  }
}
