import type { SourceConfig } from '../config/schema.ts';
import { pullDirectory } from './directory.ts';
import { pullHttp } from './http.ts';
import type { Pulled, PullInput } from './source.ts';

/** Pulls the current file of a feed's source to `input.target`; source.ts has the contract and the errors. */
export function pull(source: SourceConfig, input: PullInput): Promise<Pulled> {
  switch (source.type) {
    case 'directory':
      return pullDirectory(source, input);
    case 'http':
      return pullHttp(source, input);
  }
}
