import { describe, expect, test } from 'vitest';
import { acknowledge } from '../../../src/pull/acknowledge.ts';
import { lookAt } from '../../../src/pull/look-at.ts';
import { pull } from '../../../src/pull/pull.ts';
import type { PulledFile } from '../../../src/pull/source.ts';
import { IMAP_STYLES, type ImapStyle } from '../../support/servers/imap/imap-style.ts';
import { startMailbox } from '../../support/servers/imap/mailbox-imap.ts';
import { pullInput } from '../pull-input.ts';
import { sourceConformance } from '../source-conformance.ts';
import { mailLines } from './mail-lines.ts';
import { attached, mailWith } from './write-mail.ts';

/** Bytes of a file whose transfer is cut: a make that sends parts as a whole sends them in one literal. */
const SIZE = 500_000;
const SIGNAL = new AbortController().signal;

/** As mail programs write names. */
function encoded(name: string): string {
  return `=?utf-8?B?${Buffer.from(name).toString('base64')}?=`;
}

describe.each(Object.entries(IMAP_STYLES) as [keyof typeof IMAP_STYLES, ImapStyle][])('%s', (_, style) => {
  sourceConformance('mail', async () => {
    const { source, deliver, stop, inbox } = await startMailbox(style);
    return {
      source,
      twin: { ...source, folder: 'Inbox' },
      place: `imap://127.0.0.1:${source.port}`,
      publish: async (name, bytes) => deliver(mailWith([attached(encoded(name), bytes)])),
      published: async () =>
        Object.fromEntries(inbox.map(({ mime }) => [nameIn(mime.parts[0]!.header), bytesIn(mime.parts[0]!.body)])),
      close: stop,
    };
  });

  mailLines(
    async () => {
      const { source, deliver } = await startMailbox(style);
      return { source, supplier: { publish: async (name, bytes) => deliver(mailWith([attached(name, bytes)])) } };
    },
    { size: SIZE, hangs: false },
  );

  test('of mails of others nothing is taken, and how many there are is told', async () => {
    const { source, deliver } = await startMailbox(style);
    expect((await lookAt(source))!.files).toEqual([]);
    deliver(mailWith([attached('other.csv', 'x')], { from: 'friend@elsewhere.example' }));
    expect((await lookAt(source))!.files).toMatchObject([{ name: '1 mail', why: 'of other senders' }]);
  });

  const needs = { delete: ['UIDPLUS'], move: ['UIDPLUS', 'MOVE'] };
  const can = (after: keyof typeof needs) => needs[after].some((name) => style.capabilities.includes(name));

  /** A list that was taken, in a mailbox in which somebody else marked a mail as deleted. */
  async function taken(after: keyof typeof needs) {
    const { source, deliver, inbox, folder } = await startMailbox(style, { after });
    deliver(mailWith([attached('old.csv', 'old')]));
    deliver(mailWith([attached('prices.csv', 'brand;oem\r\n')]));
    inbox[0]!.isDeleted = true;
    const { listed } = (await pull(source, pullInput())) as PulledFile;
    return { inbox, folder, done: acknowledge(source, listed!.taken, SIGNAL) };
  }

  describe.each(['delete', 'move'] as const)('after: %s', (after) => {
    test.runIf(can(after))('does it to one mail', async () => {
      const { inbox, folder, done } = await taken(after);
      expect(await done).toBe('done');
      expect(inbox.map(({ mime }) => nameIn(mime.parts[0]!.header))).toEqual(['old.csv']);
      expect(folder('taken')).toHaveLength(after === 'move' ? 1 : 0);
    });

    test.skipIf(can(after))('is refused where it would touch others, and changes nothing', async () => {
      const { inbox, done } = await taken(after);
      const message = expect.stringContaining(needs[after].toReversed().join(' or ')) as string;
      await expect(done).rejects.toMatchObject({ message });
      expect(inbox).toHaveLength(2);
    });
  });
});

function nameIn(header: Buffer): string {
  const [, name = ''] = /filename="([^"]*)"/u.exec(header.toString()) ?? [];
  const [, base64] = /^=\?utf-8\?B\?([^?]*)\?=$/u.exec(name) ?? [];
  return base64 === undefined ? name : Buffer.from(base64, 'base64').toString();
}

function bytesIn(body: Buffer): Buffer {
  return Buffer.from(body.toString(), 'base64');
}
