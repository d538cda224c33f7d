import { z } from 'zod';
import { operation } from '../operation/operation.ts';
import { id, oneOf, optional, pageParameters, required, text } from '../operation/parameters.ts';
import { listReply, recordReply, tagsReply } from './schemas.ts';

const OF_OFFER = z.strictObject({ offerId: required(id, 'the upload') });

/** The operations on uploads ("offers"), as the document lists them. */
export const offerOperations = {
  /**
   * Uploads a parts file and starts processing; needs the right MANAGE_OFFERS. The service takes it only while no earlier
   * upload of the login is unfinished, and the new dataset replaces the old one. Never repeated by itself.
   */
  process: operation({
    name: 'process',
    group: 'offers',
    about: "Upload a parts file, which replaces the login's dataset.",
    method: 'POST',
    paths: ['/us2/public/offer/process'],
    parameters: z.strictObject({
      offersFile: required(text, 'a txt, csv or zip'),
      delimiter: optional(oneOf([',', ';']), 'delimiter of a csv', 'tab for txt, comma for csv'),
      charsetName: optional(oneOf(['UTF-8', 'UTF-16']), 'encoding', "the file's byte order mark, else UTF-8"),
    }),
    reply: recordReply,
    repeatable: false,
  }),
  /** Downloads the file of an upload (`.offer`); kept for 90 days, the last active one longer. */
  source: operation({
    name: 'source',
    group: 'offers',
    about: 'The uploaded file.',
    method: 'GET',
    paths: ['/us2/public/offer/source'],
    parameters: OF_OFFER,
    reply: 'file',
    repeatable: true,
  }),
  /** Reads the record of one upload. */
  get: operation({
    name: 'get',
    group: 'offers',
    about: 'The record of one upload.',
    method: 'GET',
    paths: ['/us2/public/offer/get'],
    parameters: OF_OFFER,
    reply: recordReply,
    repeatable: true,
  }),
  /** Lists the login's uploads, the newest first; `page` is 0 and `size` 20 when not given. */
  list: operation({
    name: 'list',
    group: 'offers',
    about: "The login's uploads, newest first.",
    method: 'GET',
    paths: ['/us2/public/offer/list'],
    parameters: z.strictObject(pageParameters),
    reply: listReply,
    paged: { limit: Infinity },
    repeatable: true,
  }),
  /** Lists the tags of an upload's file, each once. */
  listTags: operation({
    name: 'listTags',
    group: 'offers',
    about: "The tags of an upload's file.",
    method: 'GET',
    paths: ['/us2/public/offer/listTags'],
    parameters: OF_OFFER,
    reply: tagsReply,
    repeatable: true,
  }),
  /** Downloads the rejected rows of an upload (`.errors`); there are some when its `errorFileExists` is true. */
  errors: operation({
    name: 'errors',
    group: 'offers',
    about: 'The rejected rows of an upload, with what is wrong.',
    method: 'GET',
    paths: ['/us2/public/offer/errors'],
    parameters: OF_OFFER,
    reply: 'file',
    repeatable: true,
  }),
};
