import { Group, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { type Member, membersHttp } from '#contracts/people/members.ts';
import { type GameId, games } from '#contracts/servers/games.ts';
import { useRead } from '../kit/api/queries.ts';
import { OptionLines } from '../kit/forms/option-lines.tsx';
import { useWords } from '../kit/language/use-words.ts';
import { GameMark } from '../servers/game-mark.tsx';
import { storePartsWords } from './store-parts.words.ts';

const pauseMs = 250;
const mostShown = 20;

/** Finds a member by a name of their players, their name in Discord, or a platform or Discord id. */
export const MemberPicker = (props: {
  readonly label?: string;
  readonly value: Pick<Member, 'id' | 'name'> | null;
  readonly onChange: (member: Member | null) => void;
  /** A member to leave out, such as the giver. */
  readonly without?: string;
  readonly isOptional?: boolean;
  readonly isFirst?: boolean;
  /** Offers only who was seen in it, and so can receive something there. */
  readonly game?: GameId;
}) => {
  const words = useWords(storePartsWords);
  const { value, onChange, without, isOptional = false, game } = props;
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim().slice(0, 100), pauseMs);
  const nameOf = ({ id, name }: Pick<Member, 'id' | 'name'>) => name || words.memberNumber(id);
  // The text of a selected member is not a search.
  const isAsking = text !== '' && !(value && text === nameOf(value));
  const query = { limit: mostShown, ...(isAsking && { text }), ...(game !== undefined && { game }) };
  const found = useRead(membersHttp.search, { query });
  const here = useRead(membersHttp.search, { query: { ...query, online: 'true' } });
  const online = new Set((here.data?.rows ?? []).map(({ id }) => id));
  const known = new Map(
    [...(here.data?.rows ?? []), ...(found.data?.rows ?? [])]
      .filter(({ id, erasedAt }) => id !== without && erasedAt === null)
      .map((member) => [member.id, member]),
  );
  const rows = [...known.values()];
  const options = rows.map((member) => ({ value: member.id, label: nameOf(member) }));
  if (value && !known.has(value.id)) options.unshift({ value: value.id, label: nameOf(value) });
  return (
    <Select
      label={props.label ?? words.chooseMember}
      placeholder={words.memberPlaceholder}
      data={options}
      value={value?.id ?? null}
      onChange={(id) => onChange(id === null ? null : (known.get(id) ?? null))}
      onSearchChange={setTyped}
      // The API has already filtered, by ids and former names too.
      filter={({ options: all }) => all}
      renderOption={({ option }) => {
        const member = known.get(option.value);
        const players = member?.players ?? [];
        const told = players.map((player) =>
          [games[player.game].name, player.platformId].filter(Boolean).join(' · '),
        );
        const note = member && (players.length === 0 ? words.withoutPlayer : told.join(', '));
        const mark = game ?? players[0]?.game;
        return (
          <Group gap="xs" wrap="nowrap">
            {mark && <GameMark game={mark} />}
            <OptionLines
              name={option.label}
              note={online.has(option.value) ? [words.onlineNow, note].join(' · ') : note}
            />
          </Group>
        );
      }}
      nothingFoundMessage={found.isFetching ? words.searching : words.noMemberFound}
      searchable
      // The list would cover the dialog that begins with it.
      openOnFocus={false}
      clearable={isOptional}
      required={!isOptional}
      maxDropdownHeight={260}
      {...(props.isFirst && { 'data-autofocus': true })}
    />
  );
};
