import { systemClock } from '../../../clock.ts';
import type { IndexSource } from '../../../config/schema/sources/web.ts';
import type { Listed } from '../../choose/choose.ts';
import type { ServerFolder, ServerPlace } from '../../server/server.ts';
import { inParallel } from '../../../io/in-parallel.ts';
import { lengthOf, textOf } from '../body.ts';
import { drop } from '../drop.ts';
import { HtmlError } from '../html.ts';
import { listingOf, mostFilesOf, tooManyFiles } from '../../limits.ts';
import { hostOf } from '../../../io/peers/public-connector.ts';
import { isCompressed } from '../encoding.ts';
import { isAnswer, pullError } from '../errors.ts';
import { signInError } from '../page.ts';
import { readFrom, tagOf, timeOf } from '../ranged.ts';
import { refusalOf } from '../refused.ts';
import { ask, headerOf, openWeb, type Reply, type Web } from '../request.ts';
import { type Link, linksOf } from './links.ts';

/** A link is an address and a text, in an element of a table. */
const LINK = { bytes: 300 };
/** Characters of a page in which a form is looked for. */
const LONGEST_FORM = 4 * 1024 * 1024;
/** Questions about files at the same time. */
const AT_ONCE = 4;

/** The files that a page links to, after signing in where the source says so. HTTP can neither move nor delete them. */
export async function openIndex(source: IndexSource, place: ServerPlace, signal?: AbortSignal): Promise<ServerFolder> {
  const web = openWeb(source);
  const close = () => void web.close();
  const urls = new Map<string, string>();
  let ignored: { name: string; why: string }[] = [];
  const unchangeable = () => Promise.reject(pullError(place, 'cannot be changed by HTTP; set source.after: keep.'));
  try {
    if (source.login !== undefined) {
      const { signIn } = await import('../sign-in/sign-in.ts');
      await signIn(web, source.login, signal);
    }
  } catch (error) {
    close();
    throw error;
  }
  return {
    list: async (wanted) => {
      urls.clear();
      ignored = [];
      const files: Listed[] = [];
      const named: { name: string; href: string }[] = [];
      for (const link of await linksAt(web, source, wanted, signal)) {
        const name = link.names.find(wanted) ?? link.names[0];
        if (name === undefined) continue;
        const why = wanted(name) ? whyNot(link, source, urls.has(name)) : undefined;
        if (why !== undefined) ignored.push({ name, why });
        else if (wanted(name)) {
          urls.set(name, link.href);
          named.push({ name, href: link.href });
        } else files.push({ name, size: 0, mtimeMs: null });
      }
      const looked = await inParallel(named, AT_ONCE, async ({ name, href }) => {
        const file = await look(web, name, new URL(href), signal);
        if (file === undefined) ignored.push({ name, why: 'is linked, but not there' });
        return file;
      });
      return [...files, ...looked.filter((file) => file !== undefined)];
    },
    ignored: () => ignored,
    look: async ({ name }) => {
      const href = urls.get(name);
      return href === undefined ? undefined : look(web, name, new URL(href), signal);
    },
    read: (file, from = 0) => {
      const url = new URL(urls.get(file.name) ?? source.url);
      return readFrom(web, { url, file, from, signal, refusesPages: true });
    },
    resumes: true,
    remove: unchangeable,
    move: unchangeable,
    close,
  };
}

async function linksAt(
  web: Web,
  source: IndexSource,
  wanted: (name: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<Link[]> {
  const question = { url: new URL(source.url), signal };
  const reply = await ask(web, question);
  if (!isAnswer(reply.statusCode)) throw await refusalOf(web, question, reply, systemClock.now());
  const page = await textOf(reply, listingOf(source, LINK));
  const links = linksIn(page, reply, mostFilesOf(source));
  if (links.length > mostFilesOf(source)) throw tooManyFiles(reply.place, source);
  // A page may have the form in its head, also for those who signed in.
  const hasFile = links.some(({ names }) => names.some(wanted));
  if (!hasFile && web.isSignIn?.(page.slice(0, LONGEST_FORM)) === true) throw signInError(reply.place);
  if (links.length > 0 || /<[a-z!]/iu.test(page)) return links;
  throw pullError(reply.place, 'sent no web page with links; remove source.pattern if this is the file itself.');
}

function linksIn(page: string, { url, place }: Reply, most: number): Link[] {
  try {
    return linksOf(page, url, most);
  } catch (error) {
    if (!(error instanceof HtmlError)) throw error;
    throw pullError(place, `sent a page with ${error.message}, which is not read; ask the supplier.`);
  }
}

/** Links lead to the origin of the page or to hosts that are listed. */
function whyNot({ href }: Link, source: IndexSource, isTaken: boolean): string | undefined {
  const url = new URL(href);
  const home = new URL(source.url);
  const isListed = source.allowHosts.some((host) => hostOf(`http://${host}`) === hostOf(url.href));
  if (url.origin !== home.origin && !isListed) return `is on ${url.host}, which is not listed in source.allowHosts`;
  if (home.protocol === 'https:' && url.protocol === 'http:') return 'is linked without TLS';
  return isTaken ? 'is the name of several links' : undefined;
}

/**
 * What the server says of a file without sending it; undefined when it is gone. Scripts that send files often know GET only, or
 * refuse HEAD in any other way: then the file is asked for, and left once its headers are there.
 */
async function look(web: Web, name: string, url: URL, signal: AbortSignal | undefined): Promise<Listed | undefined> {
  const question = { url, headers: { 'accept-encoding': 'identity' }, signal };
  let reply = await ask(web, { ...question, method: 'HEAD' });
  if (!isThere(reply)) {
    await drop(reply, reply.place);
    reply = await ask(web, question);
  }
  const { statusCode: status, place } = reply;
  if (!isThere(reply) && status !== 404 && status !== 410) {
    throw await refusalOf(web, question, reply, systemClock.now());
  }
  await drop(reply, place);
  if (!isThere(reply)) return undefined;
  const id = tagOf(headerOf(reply, 'etag'));
  const size = isCompressed(headerOf(reply, 'content-encoding')) ? undefined : lengthOf(reply);
  return {
    name,
    size: size ?? 0,
    mtimeMs: timeOf(headerOf(reply, 'last-modified')),
    ...(id === undefined ? {} : { id }),
    ...(size === undefined ? { inexact: true } : {}),
  };
}

function isThere({ statusCode }: Reply): boolean {
  return isAnswer(statusCode) || statusCode === 204;
}
