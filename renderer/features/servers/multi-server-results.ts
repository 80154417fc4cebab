import type { ConsoleEntry } from '#contracts/console.ts';
import type { ModerationReport } from '#contracts/players.ts';
import type { EachResult } from '../../work/run-each.ts';

export type ServerResult = { readonly entry: ConsoleEntry } | { readonly report: ModerationReport };

/** Whether a server has certainly accepted it. */
export const isSuccess = (result: EachResult<ServerResult>): boolean =>
  ('entry' in result && result.entry.outcome === 'answered') ||
  ('report' in result && result.report.verdict === 'done');
