import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import type { DiscordReport } from '#contracts/discord/discord-application.ts';
import { useTold } from '../../kit/language/use-told.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { discordSetupWords } from './discord-setup.words.ts';

interface DiscordResultProps {
  readonly report: DiscordReport;
  readonly onClientId: (id: string) => void;
}

const Content = ({ report, onClientId }: DiscordResultProps) => {
  const words = useWords(discordSetupWords);
  const told = useTold();
  switch (report.outcome) {
    case 'fine':
      return (
        <Text>
          {report.guildName === null
            ? words.fineNoGuild(report.botName)
            : words.fine(report.botName, report.guildName)}
        </Text>
      );
    case 'intents-off':
      return (
        <>
          <Text>{words.intents(report.botName)}</Text>
          <Anchor href={report.settingsUrl} target="_blank" rel="noreferrer">
            {words.intentsLink}
          </Anchor>
        </>
      );
    case 'not-in-guild':
      return (
        <>
          <Text>{words.notIn(report.botName)}</Text>
          <Anchor href={report.inviteUrl} target="_blank" rel="noreferrer">
            {words.invite}
          </Anchor>
        </>
      );
    case 'other-client':
      return (
        <>
          <Text>{words.otherClient(report.clientId)}</Text>
          <Button size="xs" variant="default" onClick={() => onClientId(report.clientId)}>
            {words.useClient}
          </Button>
        </>
      );
    case 'token-wrong':
      return <Text>{words.tokenWrong}</Text>;
    case 'rate-limited':
      return <Text>{words.rateLimited(report.retryAfterSeconds)}</Text>;
    case 'unreachable':
      return (
        <>
          <Text>{words.unreachable}</Text>
          <Text size="sm" c="dimmed">
            {told(report.detail)}
          </Text>
        </>
      );
  }
};

/** Discord's answer about the token. */
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
