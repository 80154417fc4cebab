import { Group, Radio, Stack, TextInput } from '@mantine/core';
import { games } from '#contracts/games.ts';
import { useWords } from '../../language/use-words.ts';
import type { ServerDraft } from './server-draft.ts';
import { serversWords } from './servers.words.ts';

export interface ConnectionFieldsProps {
  readonly draft: ServerDraft;
  readonly onChange: (changes: Partial<ServerDraft>) => void;
}

/** The address of a game's console, and who connects to it. */
export const ConnectionFields = ({ draft, onChange }: ConnectionFieldsProps) => {
  const words = useWords(serversWords).form;
  const { defaultPort } = games[draft.game];
  return (
    <>
      <Radio.Group
        label={words.reach}
        value={draft.reach}
        onChange={(value) => onChange({ reach: value === 'agent' ? 'agent' : 'direct' })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="direct" label={words.direct} description={words.directHint} />
          <Radio value="agent" label={words.agent} description={words.agentHint} />
        </Stack>
      </Radio.Group>
      <Group align="flex-start" grow preventGrowOverflow={false}>
        {draft.reach === 'direct' && (
          <TextInput
            label={words.host}
            description={words.hostHint}
            value={draft.host}
            onChange={({ currentTarget }) => onChange({ host: currentTarget.value })}
            required
            maxLength={253}
            autoCapitalize="off"
            spellCheck={false}
          />
        )}
        <TextInput
          label={words.port}
          description={words.portHint(defaultPort)}
          placeholder={String(defaultPort)}
          value={draft.port}
          onChange={({ currentTarget }) =>
            onChange({ port: currentTarget.value.replace(/\D/g, '').slice(0, 5) })
          }
          inputMode="numeric"
        />
      </Group>
    </>
  );
};
