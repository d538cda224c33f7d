import type { Mail } from './mail.ts';

/** Sends mails; each call stands for itself. */
export type MailSender = {
  /**
   * Hands a mail over and answers where it went. The same mail may be sent again: it keeps its Message-ID. Throws `mail`
   * (`retryable` when it may work later) and `disk-full`; credentials are in no message.
   */
  send: (mail: Mail) => Promise<{ where: string }>;
  /** Tells in words that mails can be sent, or throws why not. */
  verify: () => Promise<string>;
  close: () => void;
};
