import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxOptions } from '../../src/sandbox/server.ts';
import { createService, type Service, type ServiceOptions } from '../../src/service/service.ts';
import { referenceAt } from '../support/reference.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The sandbox over HTTP, clients of it, and the reference database that it answers from. */
export async function contractWorld(options: Partial<SandboxOptions> = {}) {
  const dataDir = tempFolder();
  const { url, settled } = await sandboxForTest({ dataDir, ...options });
  const { rows, row } = referenceAt(dataDir);
  return {
    url,
    settled,
    rows,
    row,
    /** A client; what the document leaves open is as the sandbox has it. */
    client: (more: Partial<ServiceOptions> = {}): Service =>
      createService({ baseUrl: url, retries: 0, timeout: 10_000, ...more }),
    /** A call without the client: its status and its text. */
    raw: async (path: string, query: Record<string, string> = {}, init: RequestInit = {}) => {
      const reply = await fetch(`${url}${path}?${new URLSearchParams(query).toString()}`, init);
      return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() };
    },
  };
}

/** Writes a portfolio as `offer/process` takes it: brand, number, and perhaps a name and tags. */
export function portfolioFile(rows: readonly (readonly string[])[]): string {
  const lines = rows.map(([brand = '', oem = '', name = '', tags = '']) => [brand, oem, name, tags].join('\t'));
  const path = join(tempFolder(), 'portfolio.txt');
  writeFileSync(path, `brand\toem\tname\ttags\n${lines.join('\n')}\n`);
  return path;
}
