import { MultiSelect } from '@mantine/core';
import { games as allGames, type GameId, gameIds } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { useLiveServers } from '../../servers/use-live-servers.ts';
import { rewardsWords } from './rewards.words.ts';

interface Scope {
  readonly games: readonly GameId[];
  readonly serverIds: readonly string[];
}

/** The servers on which something counts. */
export const ScopeFields = ({
  scope: { games, serverIds },
  help,
  onChange,
}: {
  readonly scope: Scope;
  /** The combined meaning of the two fields. */
  readonly help: string;
  readonly onChange: (scope: Partial<Scope>) => void;
}) => {
  const words = useWords(rewardsWords).rules;
  const sees = useCan().somewhere('servers.read');
  const servers = useLiveServers().data?.rows ?? [];
  const unknown = serverIds.filter((id) => !servers.some((server) => server.id === id));
  return (
    <>
      <MultiSelect
        label={words.games}
        description={help}
        data={gameIds.map((id) => ({ value: id, label: allGames[id].name }))}
        value={[...games]}
        onChange={(chosen) => onChange({ games: chosen as GameId[] })}
      />
      {sees && (
        <MultiSelect
          label={words.servers}
          searchable
          data={[
            ...servers.map(({ id, name }) => ({ value: id, label: name })),
            ...unknown.map((id) => ({ value: id, label: id })),
          ]}
          value={[...serverIds]}
          onChange={(chosen) => onChange({ serverIds: chosen })}
        />
      )}
    </>
  );
};

/** The scope in words. */
export const useScopeText = ({ games, serverIds }: Scope): string => {
  const words = useWords(rewardsWords).rules;
  const servers = useLiveServers().data?.rows ?? [];
  const names = [
    ...games.map((id) => allGames[id].name),
    ...serverIds.map((id) => servers.find((server) => server.id === id)?.name ?? id),
  ];
  return names.length === 0 ? words.everywhere : names.join(', ');
};
