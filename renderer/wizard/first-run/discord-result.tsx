import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import type { DiscordReport } from '#contracts/desktop-first-run.ts';
import { useWords } from '../../language/use-words.ts';
import { firstRunWords } from './first-run.words.ts';

export interface DiscordResultProps {
  readonly report: DiscordReport;
  readonly onClientId: (id: string) => void;
}

const Content = ({ report, onClientId }: DiscordResultProps) => {
  const { discord } = useWords(firstRunWords);
  switch (report.outcome) {
    case 'fine':
      return (
        <Text>
          {report.guildName === null
            ? discord.fineNoGuild(report.botName)
            : discord.fine(report.botName, report.guildName)}
        </Text>
      );
    case 'intents-off':
      return (
        <>
          <Text>{discord.intents(report.botName)}</Text>
          <Anchor href={report.settingsUrl} target="_blank" rel="noreferrer">
            {discord.intentsLink}
          </Anchor>
        </>
      );
    case 'not-in-guild':
      return (
        <>
          <Text>{discord.notIn(report.botName)}</Text>
          <Anchor href={report.inviteUrl} target="_blank" rel="noreferrer">
            {discord.invite}
          </Anchor>
        </>
      );
    case 'other-client':
      return (
        <>
          <Text>{discord.otherClient(report.clientId)}</Text>
          <Button size="xs" variant="default" onClick={() => onClientId(report.clientId)}>
            {discord.useClient}
          </Button>
        </>
      );
    case 'token-wrong':
      return <Text>{discord.tokenWrong}</Text>;
    case 'rate-limited':
      return <Text>{discord.rateLimited(report.retryAfterSeconds)}</Text>;
    case 'unreachable':
      return (
        <>
          <Text>{discord.unreachable}</Text>
          <Text size="sm" c="dimmed" lang="en">
            {report.detail}
          </Text>
        </>
      );
  }
};

/** What Discord said of the token. */
export const DiscordResult = (props: DiscordResultProps) => (
  <Alert
    color={props.report.outcome === 'fine' ? 'var(--tone-ok)' : 'var(--tone-warn)'}
    variant="outline"
    role={props.report.outcome === 'fine' ? 'status' : 'alert'}
  >
    <Stack gap="xs" align="flex-start">
      <Content {...props} />
    </Stack>
  </Alert>
);
