import { isIPv4 } from 'node:net';
import { enterPassiveModeIPv4, enterPassiveModeIPv6, type FTPContext, FTPError, type FTPResponse } from 'basic-ftp';

/**
 * Opens a data connection: with EPSV, else with PASV. Whatever address PASV answers with, the data comes from the host that
 * is connected already: servers behind a router answer with a private one, and a hostile one could name any.
 */
export async function passive(ftp: FTPContext): Promise<FTPResponse> {
  try {
    return await enterPassiveModeIPv6(ftp);
  } catch (error) {
    if (!(error instanceof FTPError)) throw error;
  }
  const host = (ftp.socket.remoteAddress ?? '').replace(/^::ffff:/iu, '');
  const request = ftp.request.bind(ftp);
  ftp.request = async (command) => {
    const reply = await request(command);
    return { ...reply, message: withHost(reply.message, host) };
  };
  try {
    return await enterPassiveModeIPv4(ftp);
  } finally {
    ftp.request = request;
  }
}

/**
 * A reply to PASV with its address replaced: (10,0,0,7,4,1) becomes (192,0,2,1,4,1).
 * @internal exported for tests
 */
export function withHost(reply: string, host: string): string {
  return isIPv4(host) ? reply.replace(/(?<!\d)\d+,\d+,\d+,\d+(?=,\d+,\d+)/u, host.replaceAll('.', ',')) : reply;
}
