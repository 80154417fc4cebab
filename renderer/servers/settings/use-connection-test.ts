import { useState } from 'react';
import { type ConnectionReport, type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { callOnce } from '../../kit/api/call.ts';
import { type ServerDraft, testOf } from './server-draft.ts';

export interface TestedConnection {
  /** For the current input; null if it has not been tested yet. */
  readonly report: ConnectionReport | null;
  readonly isTesting: boolean;
  readonly error: Error | null;
  /** False where only the agent reaches the game. */
  readonly isPossible: boolean;
  /** Null if the test could not run; `error` says why. */
  test(): Promise<ConnectionReport | null>;
}

/** Tests the input; a report is valid only for the values that it was made with. */
export const useConnectionTest = (draft: ServerDraft, base: GameServer | null): TestedConnection => {
  const input = testOf(draft, base);
  const key = JSON.stringify(input);
  const [done, setDone] = useState<{ readonly key: string; readonly report: ConnectionReport } | null>(null);
  const [failed, setFailed] = useState<{ readonly key: string; readonly error: Error } | null>(null);
  const [isTesting, setIsTesting] = useState(false);
  return {
    report: done?.key === key ? done.report : null,
    isTesting,
    error: failed?.key === key ? failed.error : null,
    isPossible: input !== null,
    async test() {
      if (!input) return null;
      setIsTesting(true);
      setFailed(null);
      try {
        const report = await callOnce(gameServersHttp.testConnection, { body: input });
        setDone({ key, report });
        return report;
      } catch (error) {
        setFailed({ key, error: error as Error });
        return null;
      } finally {
        setIsTesting(false);
      }
    },
  };
};
