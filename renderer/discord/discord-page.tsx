import { Anchor, Button, Code, Group, List, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ComponentType } from 'react';
import { useParams } from 'wouter';
import type { BotTraffic } from '#contracts/discord/bot.ts';
import { type DiscordSettings, discordHttp } from '#contracts/discord/discord.ts';
import {
  type DiscordPermission,
  discordBotPageUrl,
  discordPermissionBits,
  discordPermissions,
} from '#contracts/discord/discord-application.ts';
import { useCan } from '../kit/access/access-state.ts';
import { pollMs, useChange, useRead } from '../kit/api/queries.ts';
import { AsyncContent } from '../kit/design/async-content.tsx';
import { Card } from '../kit/design/card.tsx';
import { CopyButton } from '../kit/design/copy-button.tsx';
import { EmptyState } from '../kit/design/empty-state.tsx';
import { type Fact, Facts } from '../kit/design/facts.tsx';
import { Page as Frame } from '../kit/design/page.tsx';
import { Sectioned } from '../kit/design/sectioned.tsx';
import { StateLabel, type Tone } from '../kit/design/state-label.tsx';
import { TimeAgo } from '../kit/design/time-ago.tsx';
import { Trouble } from '../kit/design/trouble.tsx';
import { useFormat } from '../kit/language/use-format.ts';
import { useWords } from '../kit/language/use-words.ts';
import { PartDetail } from '../operations/part-detail.tsx';
import { ChatRelaysCard } from './chat-relays/chat-relays-card.tsx';
import { discordWords } from './discord-parts/discord.words.ts';
import { inUse } from './discord-parts/in-use.ts';
import { SetupCard } from './discord-setup/setup-card.tsx';
import { EventRulesCard } from './event-rules/event-rules-card.tsx';
import { RoleLinksCard } from './roles/role-links-card.tsx';
import { RoleRightsCard } from './roles/role-rights-card.tsx';
import { StatusMessagesCard } from './status-messages/status-messages-card.tsx';

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
const BotStateCard = ({ settings }: { readonly settings: DiscordSettings }) => {
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

const names = Object.keys(discordPermissions) as DiscordPermission[];

/** The link that invites the bot to a Discord server, and its permissions there. */
const InviteCard = ({ url }: { readonly url: string | null }) => {
  const words = useWords(discordWords);
  return (
    <Card title={words.invite}>
      {url === null ? (
        <Text>{words.inviteNone}</Text>
      ) : (
        <>
          <Text>{words.inviteText}</Text>
          <List size="sm">
            {names.map((name) => (
              <List.Item key={name}>{words.permissions[name]}</List.Item>
            ))}
          </List>
          <Text size="sm" c="dimmed">
            {words.number(String(discordPermissionBits))}
          </Text>
          <Text size="sm">{words.intents}</Text>
          <Group gap="xs">
            <Button component="a" href={url} target="_blank" rel="noreferrer" variant="default">
              {words.open}
            </Button>
            <CopyButton value={url} label={words.copyInvite} />
          </Group>
        </>
      )}
    </Card>
  );
};

/** The meaning of Discord's roles here. */
const RolesSection = () => {
  const can = useCan();
  return (
    <Stack gap="md">
      <RoleLinksCard />
      {can('admins.read') && <RoleRightsCard />}
    </Stack>
  );
};

/** The bot's state and its configuration. */
const BotSection = () => {
  const read = useRead(discordHttp.read, {}, { everyMs: pollMs.live });
  return (
    <AsyncContent read={read}>
      {(settings) => (
        <Stack gap="md">
          <SimpleGrid cols={{ base: 1, xl: 2 }} spacing="md">
            <BotStateCard settings={settings} />
            <InviteCard url={settings.inviteUrl} />
          </SimpleGrid>
          <SetupCard newest={settings} readNewest={() => read.refetch()} />
        </Stack>
      )}
    </AsyncContent>
  );
};

/** In page order. */
const sections = {
  bot: BotSection,
  events: EventRulesCard,
  status: StatusMessagesCard,
  chat: ChatRelaysCard,
  roles: RolesSection,
} as const satisfies Record<string, ComponentType>;
type SectionName = keyof typeof sections;
const sectionNames = Object.keys(sections) as SectionName[];

/** The bot, and everything it does on the community's Discord server. */
export const Page = () => {
  const words = useWords(discordWords);
  const asked = useParams()['*'] ?? '';
  const chosen = asked === '' ? sectionNames[0] : sectionNames.find((name) => name === asked);
  const Section = chosen && sections[chosen];
  return (
    <Frame title={words.title} description={words.description}>
      <Sectioned
        label={words.sections}
        links={sectionNames.map((name) => ({
          to: `/discord/${name}`,
          isChosen: name === chosen,
          label: words.names[name],
        }))}
      >
        {Section ? <Section /> : <EmptyState title={words.noSection} text={words.noSectionText} />}
      </Sectioned>
    </Frame>
  );
};
