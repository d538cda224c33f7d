import type { MailSender } from './sender.ts';

/** Opens the mail server of `smtpUrl`, or without one the outbox folder. Throws `config` when the address is not one. */
export async function openMail(options: { smtpUrl?: string | undefined; outbox: string }): Promise<MailSender> {
  if (options.smtpUrl === undefined) {
    const { openOutbox } = await import('./outbox.ts');
    return openOutbox(options.outbox);
  }
  const { openSmtp } = await import('./smtp.ts');
  return openSmtp(options.smtpUrl);
}
