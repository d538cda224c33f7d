// Reads a file as the worker does, in a thread of its own: `node bench/read/read-in-worker.ts IN FOLDER`.
import { READING_DEFAULTS } from '../../src/config/schema/defaults.ts';
import { readSettings } from '../../src/config/schema/feed-settings.ts';
import { readInWorker } from '../../src/jobs/read/read-within.ts';

const [path = '', folder = ''] = process.argv.slice(2);
const settings = readSettings(READING_DEFAULTS);
const { validation } = await readInWorker({ path, name: 'offers.csv', folder, settings });
console.log(JSON.stringify(validation?.counts));
