import { isProxied, providerOf } from '../../../access/users.ts';
import type { Language } from '../../../wording/language/language.ts';

/** How a user without a password signs in, by what they are kept under. */
export function signsInText(subject: string, { say }: Language): string {
  return isProxied(subject) ? say('web.proxy.signsIn') : say('web.provider.signsIn', { host: providerOf(subject) });
}
