import { expect, test } from 'vitest';
import { liveShop } from '../support/bad-input.ts';

type Listed = { incident: string; kind: string; feed: string | null; since: number; until: number | null };

test('what is wrong is listed with what to do, wherever people look, until it is right again', async () => {
  const { shop } = await liveShop();
  const quiet = await shop.offerline('incidents');
  expect(quiet).toMatchObject({ status: 0, stdout: 'No open incidents.\n' });

  shop.deliver('north', '2.csv', 'oem;name\n1;Pads\n');
  const { run } = await shop.ingest('north');
  const list = async (...args: string[]) =>
    JSON.parse((await shop.offerline('incidents', '--json', ...args)).stdout) as Listed[];
  expect(await list()).toMatchObject([
    {
      kind: 'delivery',
      login: 'main',
      feed: 'north',
      run,
      text: expect.stringContaining('rejected: ') as string,
      cause: 'file-unusable',
      steps: [
        expect.stringContaining('good file'),
        expect.stringContaining(`offerline rerun ${run} --from validate`),
        `See what was delivered: \`offerline show ${run}\``,
      ],
      until: null,
    },
  ]);
  expect((await shop.offerline('incidents')).stdout).toMatch(
    /^north: a delivery did not get through — rejected: .*\n {2}since 20.* UTC\n[^]*- See what was delivered: offerline show 2/,
  );
  for (const command of ['feeds', 'logins', 'doctor']) {
    const { stdout } = await shop.offerline(command);
    expect(stdout).toContain('north: a delivery did not get through — rejected: ');
    expect(stdout).toContain('offerline incidents');
  }
  expect((await shop.offerline('doctor')).stdout).toMatch(
    /\nopen {2}incident .*\n\nEverything can be reached; 1 incident is open\.\n$/,
  );
  expect(JSON.parse((await shop.offerline('feeds', '--json')).stdout)).toMatchObject([
    { feed: 'north', incidents: [{ kind: 'delivery' }] },
  ]);

  shop.deliver('north', '3.csv', 'brand;oem;name\nBOSCH;B1;Brake pads\nATE;B2;Brake disc\n');
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  expect(await list()).toEqual([]);
  expect(await list('--all', '--feed', 'north')).toMatchObject([
    { kind: 'delivery', until: expect.any(Number) as number },
  ]);
  const unknown = await shop.offerline('incidents', '--feed', 'nort');
  expect(unknown).toMatchObject({ status: 2, stderr: 'There is no feed "nort". Known: north.\n' });
});

test('doctor says that somebody sweeps, and which mails wait', async () => {
  const { shop } = await liveShop(
    { managers: [{ email: 'ops@example.com', when: ['always'] }] },
    { SMTP_URL: 'smtp://127.0.0.1:1' },
  );
  const { stdout } = await shop.offerline('doctor');
  expect(stdout).toMatch(
    /ok {4}sweep +last at 20.* UTC, woke (?:nothing|\d+ jobs?); (?:found last at 20.* UTC: \S|nothing was found yet)/,
  );
  expect(stdout).toMatch(/FAIL {2}mail +1 mail could not be sent yet: The mail server 127\.0\.0\.1:1 did not accept/);
});
