import { readFile } from 'node:fs/promises';
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { messageOf, OfferlineError } from '../../errors.ts';
import { hideFromNowOn } from '../../wording/redact.ts';

/** Bytes in which a line with a password ends. */
const LONGEST_LINE = 65_536;

/**
 * A password from a file, from the terminal without showing it (asked twice), or from the first line of standard input. Never from
 * an argument, which other users of the machine can see.
 */
export async function readPassword({ passwordFile }: { passwordFile?: string }): Promise<string> {
  const read = passwordFile === undefined ? (process.stdin.isTTY ? askTwice() : fromInput()) : fromFile(passwordFile);
  const password = await read;
  hideFromNowOn(password);
  return password;
}

async function fromFile(file: string): Promise<string> {
  try {
    return firstLine(await readFile(file, 'utf8'));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const why = REASONS.get(code) ?? messageOf(error);
    throw new OfferlineError('usage', `The password could not be read from ${file}: ${why}.`);
  }
}

/** In plain words why a file cannot be read; the name of the file is said before. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'it may not be read'],
]);

async function fromInput(): Promise<string> {
  process.stdin.setEncoding('utf8');
  let text = '';
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.includes('\n') || text.length > LONGEST_LINE) break;
  }
  const password = firstLine(text);
  if (password === '')
    throw new OfferlineError('usage', 'No password came on standard input; pipe one line, or run this at a terminal.');
  return password;
}

/** Without the mark that some editors put at the beginning of a file. */
function firstLine(text: string): string {
  return text.replace(/^\u{feff}/u, '').split(/\r?\n/u, 1)[0] ?? '';
}

async function askTwice(): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true, historySize: 0 });
  try {
    const password = await ask(lines, 'Password: ');
    const again = await ask(lines, 'The same again: ');
    if (password !== again) throw new OfferlineError('usage', 'The two passwords differ, so nothing was changed.');
    return password;
  } finally {
    lines.close();
  }
}

/** What is typed is not shown; Ctrl-C and the end of the input end the question. */
async function ask(lines: Interface, question: string): Promise<string> {
  process.stderr.write(question);
  const ended = Promise.withResolvers<never>();
  const stop = () => ended.reject(new OfferlineError('interrupted', 'Interrupted; nothing was changed.'));
  lines.once('close', stop).once('SIGINT', stop);
  try {
    return await Promise.race([lines.question(''), ended.promise]);
  } finally {
    lines.off('close', stop).off('SIGINT', stop);
    process.stderr.write('\n');
  }
}
