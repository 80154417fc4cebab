import type { ConsoleEntry } from '#contracts/console.ts';
import type { ModerationReport } from '#contracts/players.ts';

export type ServerResult =
  | { readonly entry: ConsoleEntry }
  | { readonly report: ModerationReport }
  | { readonly error: unknown };

/** Whether a server has surely taken it. */
export const isSuccess = (result: ServerResult | 'running'): boolean =>
  result !== 'running' &&
  (('entry' in result && result.entry.outcome === 'answered') ||
    ('report' in result && result.report.verdict === 'done'));

/** The API takes ten runs of one person at a time; a few are left for what they do beside it. */
const atOnce = 4;

/** Runs on a few servers at a time; one that fails keeps no other from its turn. */
export const runOnServers = async (
  serverIds: readonly string[],
  run: (serverId: string) => Promise<ServerResult>,
  onResult: (serverId: string, result: ServerResult | 'running') => void,
): Promise<void> => {
  const left = [...serverIds];
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      onResult(id, 'running');
      onResult(id, await run(id).catch((error: unknown): ServerResult => ({ error })));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
};
