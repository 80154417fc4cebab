import { Button, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { DiscordReport } from '#contracts/discord-application.ts';
import { accessWords } from '../../access/access.words.ts';
import { callDesktop } from '../../desktop/desktop-bridge.ts';
import { DiscordIdFields, isDiscordId, isDiscordToken } from '../../discord-setup/discord-id-fields.tsx';
import { DiscordResult } from '../../discord-setup/discord-result.tsx';
import { discordSetupWords } from '../../discord-setup/discord-setup.words.ts';
import { useWords } from '../../language/use-words.ts';
import { ActionFailed } from '../action-failed.tsx';
import { useDesktopAction } from '../use-desktop-action.ts';
import { firstRunWords } from './first-run.words.ts';
import type { StepProps } from './step-props.ts';

export interface DiscordStepProps extends StepProps {
  /** Kept by the page alone. */
  readonly token: string;
  readonly onToken: (token: string) => void;
}

/** The bot's token and where it works, tested at once; may be left out. */
export const DiscordStep = ({ draft, keep, token, onToken }: DiscordStepProps) => {
  const words = useWords(firstRunWords);
  const { discord } = words;
  const setup = useWords(discordSetupWords);
  const { showPassword } = useWords(accessWords);
  const act = useDesktopAction();
  const [report, setReport] = useState<DiscordReport | null>(null);
  const { clientId, guildId } = draft;
  const isComplete = isDiscordToken(token) && isDiscordId(clientId) && isDiscordId(guildId);

  const test = () =>
    act.run(async () => {
      setReport(null);
      const found = await callDesktop('firstRun.testDiscord', { token: token.trim(), clientId, guildId });
      setReport(found);
      if ('clientId' in found && found.outcome !== 'other-client') keep({ clientId: found.clientId });
    });
  const change = (what: () => void) => {
    setReport(null);
    what();
  };
  const mayGoOn = report !== null && report.outcome !== 'token-wrong' && report.outcome !== 'other-client';

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) void test();
      }}
    >
      <Stack>
        <Title order={2}>{discord.title}</Title>
        <Text>{discord.text}</Text>
        <PasswordInput
          label={setup.token}
          value={token}
          onChange={({ currentTarget: { value } }) => change(() => onToken(value))}
          error={token.trim() !== '' && !isDiscordToken(token) && setup.wrongToken}
          visibilityToggleButtonProps={{ 'aria-label': showPassword }}
          autoComplete="off"
          readOnly={act.isActing}
          maxLength={200}
        />
        <DiscordIdFields
          clientId={clientId}
          guildId={guildId}
          onClientId={(id) => change(() => keep({ clientId: id }))}
          onGuildId={(id) => change(() => keep({ guildId: id }))}
          isReadOnly={act.isActing}
        />
        {report && (
          <DiscordResult report={report} onClientId={(id) => change(() => keep({ clientId: id }))} />
        )}
        {act.error !== null && <ActionFailed error={act.error} />}
        <Group gap="xs">
          <Button
            type="submit"
            variant={mayGoOn ? 'default' : 'filled'}
            loading={act.isActing}
            disabled={!isComplete}
          >
            {setup.test}
          </Button>
          {mayGoOn && <Button onClick={() => keep({ step: 'begin' })}>{words.next}</Button>}
          {!mayGoOn && (
            <Button
              variant="subtle"
              onClick={() => {
                onToken('');
                keep({ step: 'begin' });
              }}
            >
              {discord.skip}
            </Button>
          )}
        </Group>
        <Button variant="subtle" onClick={() => keep({ step: 'network' })}>
          {words.back}
        </Button>
      </Stack>
    </form>
  );
};
