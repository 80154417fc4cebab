import type { GameServer } from '#contracts/game-servers.ts';
import { StateLabel, type Tone } from '../../design/state-label.tsx';
import { useWords } from '../../language/use-words.ts';
import { serversWords } from './servers.words.ts';

const tones = { online: 'ok', starting: 'busy', offline: 'bad', unknown: 'idle' } as const satisfies Record<
  GameServer['status']['state'],
  Tone
>;

export const ServerState = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(serversWords);
  if (server.archivedAt) return <StateLabel tone="idle">{words.archived}</StateLabel>;
  const { state } = server.status;
  return <StateLabel tone={tones[state]}>{words.states[state]}</StateLabel>;
};
