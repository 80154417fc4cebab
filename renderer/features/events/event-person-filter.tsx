import { useState } from 'react';
import { adminsHttp } from '#contracts/admins.ts';
import { playersHttp } from '#contracts/players.ts';
import { useCan } from '../../access/access-state.ts';
import { useWords } from '../../language/use-words.ts';
import { PersonFilter } from '../../records/person-filter.tsx';
import { useRead } from '../../wire/queries.ts';
import { eventsWords } from './events.words.ts';

export interface EventPersonFilterProps {
  readonly value: string | null;
  readonly onChange: (value: string) => void;
}

const mostFound = 50;

/** Whose events are shown: the players seen last, all others by their names. */
export const EventPersonFilter = ({ value, onChange }: EventPersonFilterProps) => {
  const words = useWords(eventsWords);
  const can = useCan();
  const [text, setText] = useState('');
  const seesPlayers = can.somewhere('players.read');
  const query = { limit: mostFound, ...(text !== '' && { text }) };
  const players = useRead(playersHttp.search, { query }, { enabled: seesPlayers });
  const admins = useRead(adminsHttp.list, {}, { enabled: can('admins.read') });
  const [kind = '', id = ''] = value?.split(/:(.*)/s) ?? [];
  const chosen = useRead(playersHttp.read, { params: { id } }, { enabled: seesPlayers && kind === 'player' });
  const people = new Map(
    [
      ...(admins.data?.rows ?? []).map((admin) => ({
        value: `admin:${admin.id}`,
        name: admin.name,
        group: words.admins,
      })),
      ...[...(players.data?.rows ?? []), ...(chosen.data ? [chosen.data] : [])].map((player) => ({
        value: `player:${player.id}`,
        name: player.name,
        group: words.players,
      })),
    ].map((person) => [person.value, person]),
  );
  // Gone, not visible, or not loaded yet: the filter is shown all the same.
  if (value !== null && !people.has(value)) {
    const [what, group] = kind === 'admin' ? [words.admin, words.admins] : [words.player, words.players];
    people.set(value, { value, name: `${what} ${id}`, group });
  }
  return <PersonFilter people={[...people.values()]} value={value} onChange={onChange} onSearch={setText} />;
};
