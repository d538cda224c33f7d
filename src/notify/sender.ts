import type { Mail } from './mail.ts';

/** Where a mail went; `message`: its bytes, when they are only in a file of this machine. */
export type Sent = { where: string; message: Uint8Array | null };

/** Sends mails; calls are independent of each other. */
export type MailSender = {
  /**
   * Hands over a mail and returns where it went, and the message itself where nobody else has it. The same mail may be sent again: it keeps its Message-ID. Throws `mail`
   * (`retryable` when it may work later) and `disk-full`; credentials are in no message.
   */
  send: (mail: Mail) => Promise<Sent>;
  /** Says in words that mails can be sent, or throws why not. */
  verify: () => Promise<string>;
  close: () => void;
};
