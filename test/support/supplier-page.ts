import type { Client, ConsoleUnderTest } from './console.ts';

/** A supplier's browser that has opened a link. */
export type OpenedPage = { client: Client; path: string; link: string };

/** Makes a link to the page of a feed's supplier with the command line. */
export async function linkTo(feed: string, { shop }: ConsoleUnderTest, ...options: string[]): Promise<string> {
  const { status, stdout, stderr } = await shop.offerline('supplier-page', feed, ...options);
  if (status !== 0) throw new Error(`supplier-page ended with ${status}: ${stderr}`);
  return stdout.trim();
}

/** Makes a link to the page of a feed's supplier, and opens it in a browser of its own. */
export async function openPage(feed: string, served: ConsoleUnderTest): Promise<OpenedPage> {
  const link = await linkTo(feed, served);
  const client = served.visitor();
  const opened = await client.page(new URL(link).pathname);
  const [, path = ''] = /content="0; url=(\/supplier\/[\w-]+)"/u.exec(opened) ?? [];
  return { client, path, link };
}

/** What a browser says of a form of a page that hides where it is. */
const HIDDEN = { origin: 'null', 'sec-fetch-site': 'same-origin' };

/** Sends a file with the form of a supplier's page. `key`: in place of the one in the form. */
export async function sendFile(
  { client, path }: OpenedPage,
  url: string,
  { name, content, key, headers = HIDDEN }: { name: string; content: string; key?: string; headers?: object },
): Promise<Response> {
  const [, own = ''] = /name="key" value="(\w+)"/u.exec(await client.page(path)) ?? [];
  const form = new FormData();
  form.set('key', key ?? own);
  form.set('file', new File([content], name));
  return fetch(`${url}${path}/deliveries`, {
    method: 'POST',
    body: form,
    headers: { cookie: client.cookie(), ...headers },
    redirect: 'manual',
  });
}
