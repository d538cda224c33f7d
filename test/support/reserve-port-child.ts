import { reservePort } from './reserve-port.ts';

/** Reserves a port between two, says which, and keeps it until it is killed. */
const [from = '', to = ''] = process.argv.slice(2);
const { port } = await reservePort({ from: Number(from), to: Number(to) });
process.stdout.write(String(port));
await new Promise((resolve) => setTimeout(resolve, 60_000));
