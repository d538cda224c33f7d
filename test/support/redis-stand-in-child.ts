import { startInProcess } from '../../src/jobs/redis/in-process.ts';

/** A Redis in the memory of this process, for machines without a server program: on a port of loopback, until its parent ends. */
const [port, password] = process.argv.slice(2);
const server = await startInProcess({ host: '127.0.0.1', port: Number(port) }, password);
process.once('disconnect', () => void server.stop());
