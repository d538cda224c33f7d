import type { UploadState } from '../../model.ts';

/** A call of the service: which, when and how it ended; never what was sent or answered. */
export type CallRow = {
  id: string;
  login: string;
  /** The upload that it was made for; null: a call for no upload, which is kept only when it failed. */
  upload: string | null;
  /** When it began. */
  at: number;
  operation: string;
  /** Until its reply had been read; of a file, until its headers had come. */
  ms: number;
  /** Null: no reply came. */
  status: number | null;
  /** 1: it was given up because a worker was stopped. */
  given_up: number;
  /** The service's id of the request, where it gave one. */
  request_id: string | null;
  /** Why it failed, in one short line; null when it did not. */
  error: string | null;
};

/** A change of an upload: our state of it, or what the service showed of it. */
export type UploadStepRow = {
  id: string;
  upload: string;
  login: string;
  at: number;
  state: UploadState;
  service_state: string | null;
  lines: number | null;
  /** As the service says it. */
  last_modified: number | null;
  note: string | null;
};
