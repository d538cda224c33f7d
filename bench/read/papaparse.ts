// The checks on top of papaparse: `node bench/read/papaparse.ts IN OUT`.
import { createReadStream } from 'node:fs';
import Papa from 'papaparse';
import { createChecks } from './checks.ts';

const [input = '', output = ''] = process.argv.slice(2);
const checks = createChecks(output);
let header = true;
await new Promise<void>((resolve, reject) => {
  Papa.parse<string[]>(createReadStream(input, { highWaterMark: 1 << 18 }), {
    delimiter: ';',
    skipEmptyLines: true,
    chunk: ({ data }) => {
      for (const cells of data) {
        if (header) header = false;
        else checks.take(cells);
      }
    },
    complete: () => resolve(),
    error: reject,
  });
});
console.log(JSON.stringify(await checks.end()));
