import { StateLabel } from '../../design/state-label.tsx';
import type { Whereabouts } from '../../game-servers/online-players.ts';
import { useWords } from '../../language/use-words.ts';
import { playersWords } from './players.words.ts';

export interface WhereLabelProps {
  readonly where: Whereabouts;
  readonly serverName: (id: string) => string;
}

/** The server that a player is on now; an unknown place is not shown as offline. */
export const WhereLabel = ({ where, serverName }: WhereLabelProps) => {
  const words = useWords(playersWords);
  switch (where.state) {
    case 'on':
      return where.places.map(({ serverId }) => (
        <StateLabel key={serverId} tone="ok">
          <bdi>{serverName(serverId)}</bdi>
        </StateLabel>
      ));
    case 'unknown':
      return <StateLabel tone="warn">{words.unknown}</StateLabel>;
    case 'away':
      return <StateLabel tone="idle">{words.away}</StateLabel>;
  }
};
