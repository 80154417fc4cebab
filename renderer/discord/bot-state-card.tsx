import { Anchor, Button, Code, Group, List, Text } from '@mantine/core';
import type { BotTraffic } from '#contracts/discord/bot.ts';
import { type DiscordSettings, discordHttp } from '#contracts/discord/discord.ts';
import { discordBotPageUrl } from '#contracts/discord/discord-application.ts';
import { useCan } from '../kit/access/access-state.ts';
import { useChange } from '../kit/api/queries.ts';
import { Card } from '../kit/design/card.tsx';
import { type Fact, Facts } from '../kit/design/facts.tsx';
import { StateLabel, type Tone } from '../kit/design/state-label.tsx';
import { TimeAgo } from '../kit/design/time-ago.tsx';
import { Trouble } from '../kit/design/trouble.tsx';
import { useFormat } from '../kit/language/use-format.ts';
import { useWords } from '../kit/language/use-words.ts';
import { PartDetail } from '../operations/part-detail.tsx';
import { discordWords } from './discord.words.ts';
import { inUse } from './in-use.ts';

type Bot = NonNullable<DiscordSettings['bot']>;
type Standing = Bot['obstacle'] | Exclude<Bot['state'], 'waiting'>;

const portalUrl = 'https://discord.com/developers/applications';

const standingOf = ({ state, obstacle }: Bot): NonNullable<Standing> =>
  obstacle ?? (state === 'waiting' ? 'refused' : state);

const toneOf = (standing: NonNullable<Standing>): Tone => {
  switch (standing) {
    case 'no-token':
      return 'idle';
    case 'connecting':
      return 'busy';
    case 'connected':
      return 'ok';
    case 'throttled':
    case 'guild-unknown':
    case 'guild-unavailable':
      return 'warn';
    default:
      return 'bad';
  }
};

/** The bot's state, and where to fix each problem. */
export const BotStateCard = ({ settings }: { readonly settings: DiscordSettings }) => {
  const words = useWords(discordWords);
  const { bot } = settings;
  return (
    <Card title={words.state}>
      <div role="status">
        {bot ? (
          <StateLabel tone={toneOf(standingOf(bot))}>{words.standings[standingOf(bot)]}</StateLabel>
        ) : (
          <StateLabel tone="bad">{words.silent}</StateLabel>
        )}
      </div>
      {bot ? <BotStanding bot={bot} settings={settings} /> : <Text>{words.silentText}</Text>}
    </Card>
  );
};

const BotStanding = ({ bot, settings }: { readonly bot: Bot; readonly settings: DiscordSettings }) => {
  const words = useWords(discordWords);
  const format = useFormat();
  const mayTry = useCan()('settings.write');
  const retry = useChange(discordHttp.retry, []);
  const waitingText = ({ waiting, oldestWaitMs }: BotTraffic): string =>
    waiting === 0
      ? words.nothingWaits
      : words.waits(format.number(waiting), format.duration(oldestWaitMs / 1000));
  const standing = standingOf(bot);
  const { clientId, guildId } = inUse(settings);
  const applicationId = bot.clientId || clientId;
  const isOther = bot.clientId !== '' && clientId !== '' && bot.clientId !== clientId;
  const facts: Fact[] = [
    { label: words.guild, value: bot.guildName ? <bdi>{bot.guildName}</bdi> : guildId || words.noGuild },
    { label: words.application, value: bot.clientId },
    {
      label: words.latency,
      value: bot.latencyMs === null ? words.notMeasured : words.ms(format.number(bot.latencyMs)),
    },
    ...(bot.traffic ? [{ label: words.waiting, value: waitingText(bot.traffic) }] : []),
  ];
  const isPageNeeded = standing === 'token-refused' || standing === 'intents-off' || standing === 'refused';
  const mayHelp = isPageNeeded && mayTry;
  return (
    <>
      {words.remedies[standing] !== '' && <Text>{words.remedies[standing]}</Text>}
      {(standing === 'refused' || standing === 'throttled' || standing === 'connecting') && (
        <PartDetail>{bot.detail}</PartDetail>
      )}
      {isOther && <Text>{words.otherClient(bot.clientId)}</Text>}
      {(standing === 'connected' || standing === 'throttled') && <Facts facts={facts} />}
      {bot.traffic && <DiscordErrors traffic={bot.traffic} />}
      {standing === 'no-token' && (
        <Anchor href={portalUrl} target="_blank" rel="noreferrer">
          {words.portal}
        </Anchor>
      )}
      {isPageNeeded && (
        <Anchor
          href={applicationId === '' ? portalUrl : discordBotPageUrl(applicationId)}
          target="_blank"
          rel="noreferrer"
        >
          {applicationId === '' ? words.portal : words.botPage}
        </Anchor>
      )}
      {mayHelp && (
        <Group gap="xs">
          <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate({})}>
            {words.tryAgain}
          </Button>
          <Text size="sm" role="status">
            {retry.isSuccess && words.trying}
          </Text>
        </Group>
      )}
      {retry.error && <Trouble error={retry.error} />}
    </>
  );
};

/** The last requests that Discord refused or did not answer: the first thing that a helper asks for. */
const DiscordErrors = ({ traffic: { failingChannels, errors } }: { readonly traffic: BotTraffic }) => {
  const words = useWords(discordWords);
  if (errors.length === 0) return null;
  return (
    <>
      {failingChannels > 0 && <StateLabel tone="warn">{words.failing(failingChannels)}</StateLabel>}
      <details>
        <summary>{words.errors}</summary>
        <List size="sm" mt="xs">
          {errors.map(({ at, request, status, code, message, count }) => (
            <List.Item key={`${request} ${status} ${code}`}>
              <Code>{request}</Code>: {[status, code, message].filter((part) => part !== null).join(' · ')}
              {count > 1 && ` (×${count})`}, <TimeAgo at={at} />
            </List.Item>
          ))}
        </List>
      </details>
    </>
  );
};
