import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { DiscordReport } from '#contracts/desktop-first-run.ts';
import { callDesktop } from '../../desktop/desktop-bridge.ts';
import { useWords } from '../../language/use-words.ts';
import { ActionFailed } from '../action-failed.tsx';
import { useDesktopAction } from '../use-desktop-action.ts';
import { DiscordFields, isDiscordId, isDiscordToken } from './discord-fields.tsx';
import { DiscordResult } from './discord-result.tsx';
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
        <DiscordFields
          token={token}
          clientId={clientId}
          guildId={guildId}
          onToken={(typed) => change(() => onToken(typed))}
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
            {discord.test}
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
