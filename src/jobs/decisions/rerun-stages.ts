/** The stages that a re-run can start from, in the order of the flow. */
export const RERUN_STAGES = ['pull', 'validate', 'upload', 'report'] as const;

/** A stage that a re-run can start from. */
export type RerunFrom = (typeof RERUN_STAGES)[number];
