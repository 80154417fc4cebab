import { useEffect, useState } from 'react';
import type { Format } from '#contracts/kernel/format.ts';
import type { InWords } from '#contracts/kernel/words.ts';
import type { GameServer, GameServerStatus, ShownState } from '#contracts/servers/game-servers.ts';
import { serverNowMs } from '../../kit/api/server-clock.ts';
import { StateLabel, type Tone } from '../../kit/design/state-label.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { isNotReadYet } from './not-read-yet.ts';
import { serverStateWords } from './server-state.words.ts';

export const serverTones: Readonly<Record<ShownState, Tone>> = {
  online: 'ok',
  running: 'ok',
  starting: 'busy',
  'console-silent': 'warn',
  stopping: 'busy',
  stopped: 'idle',
  'program-fault': 'bad',
  'backing-off': 'warn',
  'crash-looping': 'bad',
  offline: 'bad',
  lost: 'idle',
  unknown: 'idle',
};

interface OfServer {
  readonly server: Pick<GameServer, 'archivedAt' | 'status'>;
}

/** A server's state in a word or two, for lists. */
export const ServerState = ({ server: { archivedAt, status } }: OfServer) => {
  const words = useWords(serverStateWords);
  if (archivedAt) return <StateLabel tone="idle">{words.archived}</StateLabel>;
  return <StateLabel tone={serverTones[status.shown]}>{stateWord(status, words)}</StateLabel>;
};

/** The same in a sentence, with further details, for the page of the server. */
export const ServerStateSentence = ({ server }: OfServer) => {
  const words = useWords(serverStateWords);
  const format = useFormat();
  const { archivedAt, status } = server;
  const isWaiting = status.shown === 'backing-off';
  const nowMs = useNow(isWaiting);
  if (archivedAt) return <StateLabel tone="idle">{words.archived}</StateLabel>;
  return (
    <StateLabel tone={serverTones[status.shown]}>{stateSentence(status, words, format, nowMs)}</StateLabel>
  );
};

const stateWord = (status: GameServerStatus, words: InWords<(typeof serverStateWords)['en']>): string =>
  isNotReadYet(status) ? words.notReadYet : words.states[status.shown];

const stateSentence = (
  status: GameServerStatus,
  words: InWords<(typeof serverStateWords)['en']>,
  format: Format,
  nowMs: number,
): string => {
  const { shown, process } = status;
  if (shown === 'console-silent') return words.consoleSilent;
  if (shown === 'program-fault') return words.programFault;
  if (!process) return stateWord(status, words);
  const { crashes, nextStartAt, lostAt } = process;
  if (shown === 'crash-looping') return words.staysDown(crashes);
  if (shown === 'lost' && lostAt !== null) return words.lostSince(format.exact(lostAt));
  if (shown !== 'backing-off' || nextStartAt === null) return stateWord(status, words);
  const seconds = Math.ceil((Date.parse(nextStartAt) - nowMs) / 1000);
  return seconds > 0 ? words.startsIn(format.duration(seconds)) : words.startsNow;
};

const useNow = (isTicking: boolean): number => {
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNowMs(serverNowMs()), 1000);
    return () => clearInterval(timer);
  }, [isTicking]);
  return nowMs;
};
