// Reads a file as the worker does, in a thread of its own: `node bench/read/read-in-worker.ts IN FOLDER`.
import { readSettings } from '../../src/config/feed-settings.ts';
import { configSchema } from '../../src/config/schema.ts';
import { readInWorker } from '../../src/jobs/read-in-worker.ts';

const [path = '', folder = ''] = process.argv.slice(2);
const config = { ...configSchema.parse({ logins: {}, feeds: {} }), logins: {}, feeds: {} };
const { validation } = await readInWorker({ path, name: 'offers.csv', folder, settings: readSettings(config) });
console.log(JSON.stringify(validation?.counts));
