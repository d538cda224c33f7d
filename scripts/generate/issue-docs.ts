import { writeFile } from 'node:fs/promises';
import { ISSUES } from '../../src/validate/issues/catalogue.ts';
import { inReference } from './links.ts';

/** docs/reference/issues.md as the catalogue of issues makes it. */
export function issueDocs(): string {
  const kinds = Object.entries(ISSUES).map(
    ([code, { title, description, severity, message }]) =>
      `## \`${code}\`\n\n**${title}** (${severity})\n\n${inReference(description)}\n\n> ${message}\n`,
  );
  return [
    '# Issue codes\n',
    '<!-- Generated from src/validate/issues/catalogue.ts by scripts/generate/issue-docs.ts; do not edit. -->\n',
    'What reading a supplier’s file can find. An `error` costs the row, or the whole file where that is said; a `warning`',
    'keeps it, and an `info` only says what was done or put right. Each issue names the physical line, the column and the value. The quoted',
    'sentence is the message, with its facts in braces.\n',
    ...kinds,
  ].join('\n');
}

if (import.meta.main) await writeFile(new URL('../../docs/reference/issues.md', import.meta.url), issueDocs());
