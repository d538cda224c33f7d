// Writes what is generated from the code: docs/reference/issues.md, docs/reference/messages.md, docs/reference/troubleshooting.md, docs/reference/service-reference.md,
// config/offerline.schema.json, the explanations, the indexes of column names, of makers, of countries and of placeholders, the sandbox's data set, its sample portfolio and the replies in its OpenAPI document. `npm run generate`.
import { mkdir, writeFile } from 'node:fs/promises';
import { configJsonSchema } from '../src/config/schema/json-schema.ts';
import { PAGE as REFERENCE, serviceReference } from './service-reference/page.ts';
import { PAGE, troubleshootingPage } from './troubleshooting/page.ts';
import { issueDocs } from './generate/issue-docs.ts';
import { messageDocs } from './generate/message-docs.ts';
import { countryIndex } from './generate/country-index.ts';
import { makerGroups, makerIndex } from './generate/maker-index.ts';
import { explanationIndex } from './generate/explanations.ts';
import { nameIndex } from './generate/name-index.ts';
import { placeholderIndex } from './generate/placeholder-index.ts';
import { openApiAnswers } from './generate/openapi-answers.ts';
import { playDocument } from './openapi/play.ts';
import { referenceFiles, samplePortfolio } from './generate/reference.ts';

await writeFile(new URL('../docs/reference/issues.md', import.meta.url), issueDocs());
await writeFile(new URL('../docs/reference/messages.md', import.meta.url), messageDocs());
await writeFile(PAGE, await troubleshootingPage());
await writeFile(REFERENCE, await serviceReference());
await writeFile(
  new URL('../config/offerline.schema.json', import.meta.url),
  `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
);
await writeFile(new URL('../src/explain/explanations.json', import.meta.url), explanationIndex());
await writeFile(new URL('../src/columns/name-index.json', import.meta.url), nameIndex());
await writeFile(new URL('../src/detect/columns/makers/index.json', import.meta.url), makerIndex());
await writeFile(new URL('../src/detect/columns/makers/groups.json', import.meta.url), makerGroups());
await writeFile(new URL('../src/detect/columns/cells/country-index.json', import.meta.url), countryIndex());
await writeFile(new URL('../src/values/placeholder-index.json', import.meta.url), placeholderIndex());

const reference = new URL('../src/sandbox/reference/data/', import.meta.url);
for (const [place, text] of referenceFiles()) {
  const file = new URL(place, reference);
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, text);
}
await writeFile(new URL('../examples/portfolio.txt', import.meta.url), samplePortfolio());

await writeFile(new URL('../src/sandbox/openapi/answers.json', import.meta.url), openApiAnswers(await playDocument()));
