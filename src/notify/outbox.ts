import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, OfferlineError } from '../errors.ts';
import { replaceFile } from '../io/replace-file.ts';
import { composeMessage } from './mime.ts';
import type { MailSender } from './sender.ts';

/** Mail as `.eml` files in a folder; one that is sent twice replaces itself. */
export function openOutbox(folder: string): MailSender {
  return {
    send: async (mail) => {
      const where = join(folder, `${mail.id}.eml`);
      const { bytes } = await composeMessage(mail);
      await replaceFile(where, [bytes]);
      return { where, message: bytes };
    },
    verify: async () => {
      try {
        await mkdir(folder, { recursive: true });
        await access(folder, constants.W_OK);
      } catch (error) {
        throw new OfferlineError('mail', `Mails cannot be written to ${folder}: ${messageOf(error)}`, { cause: error });
      }
      return `mails are written to ${folder}`;
    },
    close: () => undefined,
  };
}
