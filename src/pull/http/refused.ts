import type { OfferlineError } from '../../errors.ts';
import { drop } from './drop.ts';
import { refusedProgram, statusError } from './errors.ts';
import { ask, headerOf, PROGRAM, type Question, type Reply, type Web } from './request.ts';

/** What browsers call themselves. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/**
 * The refusal of a reply that is no file. Where access is denied, the same is asked without credentials, under the program's name and
 * under a browser's, only to learn which of them is refused: many servers count refused credentials. `now` is epoch milliseconds.
 */
export async function refusalOf(web: Web, question: Question, reply: Reply, now: number): Promise<OfferlineError> {
  const { statusCode, place } = reply;
  await drop(reply, place);
  // What goes wrong with a question of ours says nothing of the refusal.
  const isProgram = statusCode === 403 && (await isForProgram(web, question).catch(() => false));
  if (isProgram) return refusedProgram(place, PROGRAM);
  return statusError(statusCode, place, headerOf(reply, 'retry-after'), now);
}

async function isForProgram(web: Web, question: Question): Promise<boolean> {
  const { method = 'GET', headers } = question;
  const isNamed = Object.keys(web.source.headers).some((name) => name.toLowerCase() === 'user-agent');
  if (isNamed || (method !== 'GET' && method !== 'HEAD')) return false;
  const answerTo = async (name: string) => {
    const reply = await ask(web, { ...question, anonymous: true, headers: { ...headers, 'user-agent': name } });
    await drop(reply, reply.place);
    return reply.statusCode;
  };
  return (await answerTo(PROGRAM)) === 403 && (await answerTo(BROWSER)) !== 403;
}
