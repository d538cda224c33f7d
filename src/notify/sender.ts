import type { Mail } from './mail.ts';

/** Sends mails; calls are independent of each other. */
export type MailSender = {
  /**
   * Hands over a mail and returns where it went. The same mail may be sent again: it keeps its Message-ID. Throws `mail`
   * (`retryable` when it may work later) and `disk-full`; credentials are in no message.
   */
  send: (mail: Mail) => Promise<{ where: string }>;
  /** Says in words that mails can be sent, or throws why not. */
  verify: () => Promise<string>;
  close: () => void;
};
