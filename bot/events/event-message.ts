import type { APIEmbed, RESTPostAPIChannelMessageJSONBody } from 'discord.js';
import type { BatchEvent, EventBatch, GivenTestPost } from '#contracts/discord/discord-events.ts';
import { formatFor } from '#contracts/kernel/format.ts';
import type { Language } from '#contracts/kernel/language.ts';
import { plural } from '#contracts/kernel/language.ts';
import { problems } from '#contracts/kernel/problems.ts';
import { problemsPtBr } from '#contracts/kernel/problems-pt-br.ts';
import { type Severity, severities } from '#contracts/operations/event-row.ts';
import { kindName, sayEvent } from '#contracts/operations/event-sentence.ts';
import { cut } from '../cut.ts';
import { plainText, safeText } from './discord-text.ts';

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits; 6,000 characters in all. */
const mostEmbeds = 10;
/** For all lines together; the rest is for titles, names and the mark. */
const mostLineCharacters = 4200;
const mostDescriptionCharacters = 4000;

/** Stripe colors that stand out on both Discord's dark and light backgrounds. */
const colors: Readonly<Record<Severity, number>> = {
  info: 0x5b8def,
  notice: 0x2f9e6e,
  warning: 0xd9912b,
  alert: 0xd6453d,
};

const words = {
  en: {
    more: (count: number) => `…and ${plural.en(count, 'more', 'more')}`,
    others: (count: number) => plural.en(count, 'more event', 'more events'),
    leftOut: (count: number) =>
      `${plural.en(count, 'event was', 'events were')} left out because too many were waiting. See the event log in Castellan.`,
    test: 'This is a test. Events will look like this.',
  },
  'pt-BR': {
    more: (count: number) => `…e mais ${plural.pt(count, 'outro', 'outros')}`,
    others: (count: number) => `Mais ${plural.pt(count, 'evento', 'eventos')}`,
    leftOut: (count: number) =>
      `${plural.pt(count, 'evento foi omitido', 'eventos foram omitidos')}, porque muitos esperavam. Veja o registro de eventos no Castellan.`,
    test: 'Isto é um teste. Os eventos aparecerão assim.',
  },
} as const;

/** Notifies only these roles, whatever a name says. */
const mentioning = (roleIds: readonly string[]) => ({
  ...(roleIds.length > 0 && { content: roleIds.map((id) => `<@&${id}>`).join(' ') }),
  allowed_mentions: { parse: [], roles: [...roleIds] },
});

const product = 'Castellan';
/** Follows the community's name in the footer. */
const markOf = (batchId: string): string => ` · ${batchId}`;
const signed = (community: string, batchId: string): string => `${cut(community, 100)}${markOf(batchId)}`;

/** Finds a message again by its mark: Discord's history has no nonces. */
export const isMessageOf = (batchId: string, embeds: readonly Pick<APIEmbed, 'footer'>[]): boolean =>
  embeds.some(({ footer }) => footer?.text.endsWith(markOf(batchId)));

/** The message for a batch; Discord creates it once, however often it is sent within a few minutes. */
export const eventMessage = (batch: EventBatch, language: Language): RESTPostAPIChannelMessageJSONBody => {
  const { id, roleIds, leftOut, events, community = product } = batch;
  const notice =
    leftOut > 0 ? [{ color: colors.warning, description: words[language].leftOut(leftOut) }] : [];
  const embeds: APIEmbed[] = [...notice, ...tell(groupsOf(events, mostEmbeds - notice.length), language)];
  return {
    ...mentioning(roleIds),
    embeds: embeds.map((embed, index) =>
      index === embeds.length - 1 ? { ...embed, footer: { text: signed(community, id) } } : embed,
    ),
    nonce: id,
    enforce_nonce: true,
  };
};

/** Sent when Discord refuses the message itself, for whatever reason. */
export const plainMessage = (batch: EventBatch, language: Language): RESTPostAPIChannelMessageJSONBody => ({
  ...mentioning([]),
  embeds: [
    {
      color: colors.warning,
      description: words[language].leftOut(batch.leftOut + batch.events.length),
      footer: { text: signed(batch.community ?? product, batch.id) },
    },
  ],
  nonce: batch.id,
  enforce_nonce: true,
});

export const testMessage = (
  { roleId, community = product }: Pick<GivenTestPost, 'roleId' | 'community'>,
  language: Language,
): RESTPostAPIChannelMessageJSONBody => ({
  ...mentioning(roleId === null ? [] : [roleId]),
  embeds: [{ color: colors.info, description: words[language].test, footer: { text: community } }],
});

/** Events of one kind and one server, in order; of several kinds if there would be too many groups. */
interface Group {
  readonly kind: string | null;
  readonly serverName: string | null;
  readonly events: BatchEvent[];
}

const groupsOf = (events: readonly BatchEvent[], most: number): Group[] => {
  const groups = new Map<string, Group>();
  for (const event of events) {
    const key = `${event.kind} ${event.serverId}`;
    const group = groups.get(key);
    if (group) group.events.push(event);
    else groups.set(key, { kind: event.kind, serverName: event.serverName, events: [event] });
  }
  const all = [...groups.values()];
  if (all.length <= most) return all;
  const others = new Set(all.slice(most - 1).flatMap((group) => group.events));
  const rest = { kind: null, serverName: null, events: events.filter((event) => others.has(event)) };
  return [...all.slice(0, most - 1), rest];
};

const tell = (groups: readonly Group[], language: Language): APIEmbed[] => {
  let left = mostLineCharacters;
  return groups.map((group, index) => {
    const share = Math.min(mostDescriptionCharacters, Math.floor(left / (groups.length - index)));
    const description = linesOf(group, language, share);
    left -= description.length;
    const { kind, serverName, events } = group;
    const title =
      kind === null
        ? words[language].others(events.length)
        : `${events.length > 1 ? `${formatFor(language).number(events.length)} × ` : ''}${kindName(kind, language)}`;
    return {
      color: colors[worstOf(events)],
      ...(serverName !== null && { author: { name: plainText(serverName) } }),
      title: title.slice(0, 256),
      description,
      timestamp: events.at(-1)?.at ?? new Date(0).toISOString(),
    };
  });
};

const worstOf = (events: readonly BatchEvent[]): Severity =>
  severities.findLast((severity) => events.some((event) => event.severity === severity)) ?? 'info';

const linesOf = ({ kind, events }: Group, language: Language, most: number): string => {
  if (events.length === 1 && events[0]) {
    // Only text whose length escapes have doubled comes near the limit; a cut through an escape leaves a backslash at worst.
    return cut(sentenceOf(events[0], language), most);
  }
  const lines: string[] = [];
  let length = 0;
  const room = most - words[language].more(events.length).length - 1;
  for (const event of events) {
    const name = kind === null ? `${kindName(event.kind, language)}: ` : '';
    const line = `${discordTime(event.at, 'T')} ${name}${sentenceOf(event, language)}`;
    if (length + line.length + 1 > room) break;
    lines.push(line);
    length += line.length + 1;
  }
  if (lines.length < events.length) lines.push(words[language].more(events.length - lines.length));
  return lines.join('\n');
};

/** Each reader sees it in their own language and time zone. */
const discordTime = (iso: string, style: 'T' | 'f'): string =>
  `<t:${Math.floor(Date.parse(iso) / 1000)}:${style}>`;

const sentenceOf = (event: BatchEvent, language: Language): string =>
  sayEvent(event, language, {
    duration: formatFor(language).duration,
    time: (iso) => discordTime(iso, 'f'),
    problemTitle: (code) => (language === 'en' ? problems : problemsPtBr)[code].title,
    serverName: event.serverName,
    text: safeText,
  }) ?? safeText(`${event.kind} ${JSON.stringify(event.payload)}`);
