import { Group, Radio, Stack, TextInput } from '@mantine/core';
import { games } from '#contracts/servers/games.ts';
import { useFieldErrors } from '../../kit/forms/field-errors.ts';
import { NumberInput } from '../../kit/forms/number-input.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { serversWords } from '../game-servers/servers.words.ts';
import type { ServerDraft } from './server-draft.ts';

/** The address of a game's console, and who connects to it. */
export const ConnectionFields = (props: {
  readonly draft: ServerDraft;
  readonly onChange: (changes: Partial<ServerDraft>) => void;
  /** Why the draft was refused. */
  readonly error: unknown;
}) => {
  const { draft, onChange, error } = props;
  const errorOf = useFieldErrors(error);
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
            error={errorOf('host')}
            value={draft.host}
            onChange={({ currentTarget }) => onChange({ host: currentTarget.value })}
            required
            maxLength={253}
            autoCapitalize="off"
            spellCheck={false}
          />
        )}
        <NumberInput
          label={words.port}
          description={words.portHint(defaultPort)}
          placeholder={String(defaultPort)}
          error={errorOf('port')}
          value={draft.port === '' ? '' : Number(draft.port)}
          onChange={(typed) => onChange({ port: String(typed) })}
          min={1}
          max={65_535}
          allowDecimal={false}
          allowNegative={false}
          hideControls
        />
      </Group>
    </>
  );
};
