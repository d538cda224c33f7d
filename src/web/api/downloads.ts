import { z } from 'zod';
import { dossierFile, DOSSIER_TYPES, type DossierType } from '../pages/lists/dossier.ts';
import { MAY } from '../route.ts';
import { given, type ApiOperation } from './operation.ts';

const TYPES = Object.keys(DOSSIER_TYPES) as [DossierType, ...DossierType[]];
const QUERY = z.strictObject({
  format: z.enum(TYPES).default('zip').describe('`md`: the text alone.'),
  offline: z.stringbool().optional().describe('The service is not asked what it shows now.'),
});

/** What is answered with a file. */
export const DOWNLOADS: readonly ApiOperation[] = [
  {
    method: 'GET',
    path: '/uploads/{upload}/dossier',
    id: 'dossier',
    tag: 'uploads',
    may: MAY.operate,
    summary:
      "One upload for the service's people: ids, times, requests, states, what was sent, and what the service shows.",
    query: QUERY,
    body: null,
    answer: z.never(),
    download: Object.values(DOSSIER_TYPES),
    handle: (visit) => {
      const { format, offline = false } = given(QUERY, visit);
      return dossierFile(format, { offline }, visit);
    },
  },
];
