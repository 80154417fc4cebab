import type { Format } from '#contracts/kernel/format.ts';
import type { InWords } from '#contracts/kernel/words.ts';
import type { TimelineEntry } from '#contracts/people/timelines.ts';
import { games } from '#contracts/servers/games.ts';
import type { Tone } from '../../kit/design/state-label.tsx';
import type { ShownEntry } from './fold-entries.ts';
import type { timelineWords } from './timeline.words.ts';

export interface EntryTeller {
  readonly words: InWords<(typeof timelineWords)['en']>;
  readonly format: Format;
  /** "450 points". */
  readonly points: (count: number) => string;
  readonly serverName: (id: string) => string;
  /** The name of one of the person's players; null if they have only one. */
  readonly playerName: (id: string) => string | null;
  /** How a command ended. */
  readonly outcome: (
    name: NonNullable<Extract<TimelineEntry, { type: 'command' }>['outcome']>,
    isGameError: boolean,
  ) => string;
}

/** An entry in words: a sentence, its details, and a link to more. */
interface ToldEntry {
  readonly tone: Tone;
  readonly sentence: string;
  readonly details: readonly string[];
  /** An address of the panel, for the subject of the sentence. */
  readonly to?: string;
  /** Another member who is involved. */
  readonly member?: { readonly says: string; readonly id: string };
}

const present = (texts: readonly (string | null)[]): readonly string[] =>
  texts.filter((text) => text !== null && text !== '') as string[];

export const tellEntry = (entry: ShownEntry, teller: EntryTeller): ToldEntry => {
  const { words, format, serverName, playerName } = teller;
  switch (entry.type) {
    case 'joined': {
      const { serverId, playerId, isFirst } = entry;
      const as = playerName(playerId);
      return {
        tone: 'idle',
        sentence: (isFirst ? words.first : words.joined)(serverName(serverId)),
        details: present([as && words.as(as)]),
      };
    }
    case 'left': {
      const as = playerName(entry.playerId);
      return {
        tone: 'idle',
        sentence: words.left(serverName(entry.serverId)),
        details: present([words.after(format.duration(entry.playedSeconds)), as && words.as(as)]),
      };
    }
    case 'visit': {
      const as = playerName(entry.playerId);
      return {
        tone: 'idle',
        sentence: words.visited(serverName(entry.serverId), format.duration(entry.playedSeconds)),
        details: present([as && words.as(as)]),
      };
    }
    case 'said': {
      const as = playerName(entry.playerId);
      return {
        tone: 'idle',
        sentence: words.said(entry.text),
        details: present([
          entry.serverId === null ? words.saidSomewhere : words.saidOn(serverName(entry.serverId)),
          as && words.as(as),
        ]),
      };
    }
    case 'banned':
    case 'ban-ended':
      return tellBan(entry, teller);
    case 'command':
      return tellCommand(entry, teller);
    case 'ordered':
      return tellOrder(entry, teller);
    case 'delivery': {
      const { state, certainty, serverId, productName, deliveryId, orderId } = entry;
      const tones = { delivered: 'ok', failed: 'bad', unknown: 'warn', cancelled: 'idle' } as const;
      return {
        tone: state in tones ? tones[state as keyof typeof tones] : 'busy',
        sentence: words.deliveries[state](productName),
        details: present([
          state === 'delivered' && certainty !== null ? words.certainties[certainty] : null,
          serverId === null ? null : words.on(serverName(serverId)),
          'parts' in entry ? words.parts(entry.parts) : null,
        ]),
        to: 'parts' in entry ? `/orders/${orderId}` : `/deliveries/${deliveryId}`,
      };
    }
    case 'points':
      return tellPoints(entry, teller);
    case 'merged': {
      const { playerNames, hasDiscord, points } = entry;
      const names = format.list(playerNames);
      return {
        tone: 'busy',
        sentence: names !== '' ? words.merged(names) : hasDiscord ? words.linkedDiscord : words.mergedUnnamed,
        details: present([words.by(nameOf(entry.by, teller)), points > 0 ? teller.points(points) : null]),
      };
    }
    case 'merge-undone': {
      const names = format.list(entry.playerNames);
      return {
        tone: 'idle',
        sentence: names === '' ? words.mergeUndoneUnnamed : words.mergeUndone(names),
        details: [],
      };
    }
    case 'discord-joined':
      return { tone: 'busy', sentence: words.discordJoined(entry.name), details: [] };
    case 'discord-left':
      return { tone: 'idle', sentence: words.discordLeft(entry.name), details: [] };
    case 'act':
      return { tone: 'idle', sentence: words.acts[entry.act](nameOf(entry.by, teller)), details: [] };
  }
};

type Entry<Type extends TimelineEntry['type']> = Extract<TimelineEntry, { type: Type }>;

const nameOf = ({ name }: { readonly name: string | null }, { words }: EntryTeller): string =>
  name ?? words.someone;

const tellBan = (entry: Entry<'banned' | 'ban-ended'>, teller: EntryTeller): ToldEntry => {
  const { words } = teller;
  const to = `/bans/${entry.banId}`;
  if (entry.type === 'ban-ended')
    return {
      tone: 'ok',
      sentence:
        entry.how === 'expired' || entry.by === null
          ? words.banOver
          : words.unbanned(nameOf(entry.by, teller)),
      details: present([entry.reason === '' ? null : words.banReason(entry.reason)]),
      to,
    };
  const { isEverywhere, game, serverIds, reason, until, by } = entry;
  const [only] = serverIds;
  const scope = isEverywhere
    ? words.allServers(games[game].name)
    : serverIds.length === 1 && only !== undefined
      ? teller.serverName(only)
      : words.servers(serverIds.length);
  const name = nameOf(by, teller);
  return {
    tone: 'bad',
    sentence: reason === '' ? words.banned(scope, name) : words.bannedFor(scope, name, reason),
    details: [
      until === null
        ? words.untilLifted
        : words.until(`${teller.format.date(until)}, ${teller.format.minute(until)}`),
    ],
    to,
  };
};

const tellCommand = (entry: Entry<'command'>, teller: EntryTeller): ToldEntry => {
  const { words } = teller;
  const { command, text, outcome, gameError, serverId, by } = entry;
  // A console's reply does not prove that the game obeyed, so the sentence claims no more than the request.
  const sentence = words[command](nameOf(by, teller));
  return {
    tone: gameError ? 'bad' : command === 'kick' || outcome !== 'answered' ? 'warn' : 'idle',
    sentence: text === null ? sentence : words.told(sentence, text),
    details: present([
      serverId === null ? null : teller.serverName(serverId),
      outcome === null ? words.resultUnknown : teller.outcome(outcome, gameError === true),
    ]),
  };
};

const tellOrder = (entry: Entry<'ordered'>, teller: EntryTeller): ToldEntry => {
  const { words, format } = teller;
  const { orderId, lines, source, total, payerId, receiverId } = entry;
  const what = format.list(
    lines.map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`)),
  );
  const sentences: Partial<Record<typeof source, (what: string) => string>> = {
    test: words.testOrder,
    season: words.givenAgain,
    shop: words.boughtOutside,
  };
  const sentence =
    sentences[source]?.(what) ??
    (total === 0 ? words.gotFree(what) : words.bought(what, teller.points(total)));
  return {
    tone: 'ok',
    sentence,
    details: present([source === 'chat' ? words.inChat : null]),
    to: `/orders/${orderId}`,
    ...(receiverId !== null && { member: { says: words.forMember, id: receiverId } }),
    ...(payerId !== null && { member: { says: words.fromMember, id: payerId } }),
  };
};

const tellPoints = (entry: Entry<'points'>, teller: EntryTeller): ToldEntry => {
  const { words } = teller;
  const { ledgerKind, change, reward, note, otherMemberId, orderId, by } = entry;
  const points = teller.points(Math.abs(change));
  const name = nameOf(by, teller);
  const sentence = () => {
    switch (ledgerKind) {
      case 'grant':
      case 'correction':
        return words.points[ledgerKind](points, name);
      case 'transfer':
        return (change > 0 ? words.points.received : words.points.sent)(points);
      case 'season':
        return (change > 0 ? words.points.seasonBack : words.points.season)(points);
      default:
        return words.points[ledgerKind](points);
    }
  };
  return {
    tone: change < 0 ? 'warn' : 'busy',
    sentence: sentence(),
    details: present([reward && words.rewards[reward.kind](reward.name), note]),
    ...(orderId !== null && { to: `/orders/${orderId}` }),
    ...(otherMemberId !== null &&
      ledgerKind === 'transfer' && {
        member: { says: change > 0 ? words.fromOther : words.toOther, id: otherMemberId },
      }),
  };
};
