import type { SandboxSettings } from '../settings.ts';
import {
  describe,
  enveloped,
  envelopedList,
  free,
  needed,
  PAGE,
  SIZE,
  type DescribedOperation,
  type Examples,
  type GoodReply,
} from './describe.ts';
import { ID, record, ref, TEXT, type Json } from './schema.ts';

const OFFER = '/us2/public/offer';
const DELIMITER = { ...TEXT, enum: [',', ';'] };
const CHARSET = { ...TEXT, enum: ['UTF-8', 'UTF-16'] };

/** Uploads and what became of them. */
export function describeOffers(settings: SandboxSettings, examples: Examples): DescribedOperation[] {
  const { offerId } = examples;
  const id = needed('offerId', 'The upload.', offerId, ID);
  const get = (name: string, summary: string, shape: Parameters<typeof describe>[2]) =>
    describe(['get', `${OFFER}/${name}`], { id: name, tag: 'offers', summary }, shape, examples);
  return [
    describeUpload(settings, examples),
    get('get', 'One upload.', { parameters: [id], reply: { json: ref('Offer') }, refusals: ['OFFER_NOT_FOUND'] }),
    get('list', 'Uploads, newest first.', { parameters: [PAGE, SIZE], reply: envelopedList(ref('Offer')) }),
    get('source', 'The uploaded text, unpacked.', {
      parameters: [free('offerId', 'The upload; the last successful one when left out.', offerId, ID)],
      reply: {
        download: 'The text in the charset of the upload, named like the uploaded file with the ending .offer.',
      },
      refusals: ['OFFER_NOT_FOUND', 'FILE_UNUSABLE'],
    }),
    get('listTags', 'The tags of an upload.', {
      parameters: [id],
      reply: envelopedList(TEXT),
      refusals: ['OFFER_NOT_FOUND'],
    }),
    get('errors', 'The rejected rows of an upload.', {
      parameters: [id],
      reply: {
        download:
          'Columns that describe the error, then the row, parted by tabs, in UTF-8; named like the uploaded file with the ending .errors.',
      },
      refusals: ['OFFER_NOT_FOUND', 'NO_ERROR_FILE'],
    }),
  ];
}

function describeUpload(settings: SandboxSettings, examples: Examples): DescribedOperation {
  const reply: GoodReply = settings.processReply === 'bare' ? { json: ref('Offer') } : enveloped(ref('Offer'));
  return describe(
    ['post', `${OFFER}/process`],
    {
      id: 'process',
      tag: 'offers',
      summary: 'Uploads a file of offers and starts processing.',
      description: `The login needs the right MANAGE_OFFERS. At most ${settings.limits.tags} tags at a position.`,
    },
    {
      parameters: [
        free('delimiter', 'Delimiter of a CSV file; the comma when left out.', ',', DELIMITER),
        free('charsetName', 'Charset; when left out, that of the byte order mark, else UTF-8.', 'UTF-8', CHARSET),
        free('fileName', 'Name of a file that is the body itself.', 'offers.csv'),
        {
          ...free('Content-Disposition', 'The same as a header, which wins.', 'attachment; filename="offers.csv"'),
          in: 'header',
        },
      ],
      body: uploadBody(settings),
      reply,
      refusals: ['BODY_BROKEN', 'FILE_MISSING', 'FILE_REPEATED', 'FORBIDDEN', 'UPLOAD_UNFINISHED', 'FILE_TOO_LARGE'],
    },
    examples,
  );
}

function uploadBody({ fileField, columns }: SandboxSettings): Json {
  const rows = [
    [columns.brand, columns.oem, columns.name, columns.tags],
    ['NORDMARK', 'N95 556 163 B', 'Oil filter', 'service'],
    ['', 'N1', 'Without a brand', ''],
  ];
  const table = (delimiter: string) => rows.map((cells) => `${cells.join(delimiter)}\n`).join('');
  const parts = record({
    [fileField]: { ...TEXT, format: 'binary' },
    'delimiter?': DELIMITER,
    'charsetName?': CHARSET,
  });
  const types = ['text/csv', 'text/plain', 'application/zip'];
  return {
    required: true,
    description: `A table with the columns ${rows[0]!.join(', ')}: CSV or a txt with tabs, or a zip archive that holds one of them.`,
    content: {
      'text/csv': { schema: { ...TEXT, contentMediaType: 'text/csv' }, example: table(',') },
      'text/plain': { schema: { ...TEXT, contentMediaType: 'text/plain' }, example: table('\t') },
      'application/zip': { schema: { ...TEXT, format: 'binary', contentMediaType: 'application/zip' } },
      'multipart/form-data': {
        schema: parts,
        encoding: { [fileField]: { contentType: types.join(', ') } },
        example: { [fileField]: table(','), delimiter: ',' },
      },
    },
  };
}
