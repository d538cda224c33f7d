import { readdirSync, readFileSync } from 'node:fs';

/** A page of the documentation, as it is written. */
export type DocPage = {
  /** Its path below docs/ without the ending: `operations`, `decisions/001-node`. */
  name: string;
  /** Its first heading. */
  title: string;
  /** Markdown, without comments. */
  text: string;
};

const DOCS = new URL('../../docs/', import.meta.url);
const PICTURES = new URL('pictures/', DOCS);

let pages: Map<string, DocPage> | undefined;

/** All pages of the documentation by their names, read once. */
export function docPages(): ReadonlyMap<string, DocPage> {
  pages ??= new Map(
    readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .toSorted()
      .map((file) => pageOf(file.slice(0, -'.md'.length).replaceAll('\\', '/')))
      .map((page) => [page.name, page]),
  );
  return pages;
}

function pageOf(name: string): DocPage {
  const text = readFileSync(new URL(`${name}.md`, DOCS), 'utf8').replaceAll(/^<!--[^]*?-->\n+/gmu, '');
  return { name, title: /^# (.*)$/mu.exec(text)?.[1] ?? name, text };
}

/** The names of all pictures of the documentation. */
export function docPictures(): string[] {
  return readdirSync(PICTURES);
}

/** A picture by one of these names. */
export function docPicture(name: string): Buffer {
  return readFileSync(new URL(name, PICTURES));
}
