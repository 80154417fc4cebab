import { MultiSelect } from '@mantine/core';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { useCan } from '../../access/access-state.ts';
import { useWords } from '../../language/use-words.ts';
import { useRead } from '../../wire/queries.ts';
import { apiKeysWords } from './api-keys.words.ts';

export interface ServerChoiceProps {
  readonly value: readonly string[];
  readonly error: string | null;
  readonly onChange: (value: readonly string[]) => void;
}

export const ServerChoice = ({ value, error, onChange }: ServerChoiceProps) => {
  const words = useWords(apiKeysWords);
  const enabled = useCan().somewhere('servers.read');
  const servers = useRead(gameServersHttp.list, {}, { enabled }).data?.rows ?? [];
  return (
    <MultiSelect
      label={words.chooseServers}
      data={servers.map(({ id, name }) => ({ value: id, label: name }))}
      value={[...value]}
      onChange={onChange}
      error={error}
      searchable
      // Otherwise the list briefly widens the page on a phone, and pushes the dialog about.
    />
  );
};
