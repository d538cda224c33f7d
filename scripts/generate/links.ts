const LINK = /\]\((?!https?:|mailto:|#)([^)\s]+)\)/g;
const REFERENCE = 'reference/';

/** Markdown whose links begin at docs/, as it stands in docs/reference. */
export function inReference(markdown: string): string {
  return markdown.replaceAll(LINK, (_, target: string) =>
    target.startsWith(REFERENCE) ? `](${target.slice(REFERENCE.length)})` : `](../${target})`,
  );
}

/** Markdown of a page, named from docs/, with links that begin there. */
export function fromPage(markdown: string, page: string): string {
  const whole = markdown.replaceAll(/\]\((#[^)\s]+)\)/g, `](/${page}$1)`);
  const linked = page.startsWith(REFERENCE)
    ? whole.replaceAll(LINK, (_, target: string) => `](${fromReference(target)})`)
    : whole;
  return linked.replaceAll('](/', '](');
}

function fromReference(target: string): string {
  if (target.startsWith('/')) return target;
  return target.startsWith('../') ? target.slice('../'.length) : `${REFERENCE}${target}`;
}
