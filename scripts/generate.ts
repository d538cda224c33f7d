// Writes what is generated from the code: docs/issues.md and config/offerline.schema.json. `npm run generate`.
import { writeFile } from 'node:fs/promises';
import { configJsonSchema } from '../src/config/json-schema.ts';
import { issueDocs } from './write-issue-docs.ts';

await writeFile(new URL('../docs/issues.md', import.meta.url), issueDocs());
await writeFile(
  new URL('../config/offerline.schema.json', import.meta.url),
  `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
);
