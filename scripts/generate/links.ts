const LINK = /\]\((?!https?:|mailto:|#)([^)\s]+)\)/g;
const REFERENCE = 'reference/';

/** Markdown whose links begin at docs/, as it stands in docs/reference. */
export function inReference(markdown: string): string {
  return markdown.replaceAll(LINK, (_, target: string) =>
    target.startsWith(REFERENCE) ? `](${target.slice(REFERENCE.length)})` : `](../${target})`,
  );
}

/** Markdown of a page of docs/reference, with links that begin at docs/. */
export function fromReference(markdown: string): string {
  return markdown.replaceAll(LINK, (_, target: string) =>
    target.startsWith('../') ? `](${target.slice('../'.length)})` : `](${REFERENCE}${target})`,
  );
}
