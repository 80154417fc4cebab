import type { MemberChange } from '#contracts/discord/discord-guild.ts';

/** As it is stored. */
export interface GuildMember {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly roleIds: readonly string[];
  readonly isBot: boolean;
  readonly isPending: boolean;
  readonly joinedAt: Date | null;
  /** Null: is there. */
  readonly leftAt: Date | null;
}

/** The event for a join or a leave; there is none for a bot. */
const memberEvent =
  <const Kind extends 'discord.member-joined' | 'discord.member-left'>(kind: Kind) =>
  ({ id, name, isBot }: GuildMember, at: Date) =>
    isBot ? [] : [{ kind, payload: { discordId: id, name }, at }];
export const leftEvent = memberEvent('discord.member-left');
const joinedEvent = memberEvent('discord.member-joined');
type MemberEvent = ReturnType<typeof leftEvent | typeof joinedEvent>[number];

export interface FoldOptions {
  /** The stored members whom the changes are about. */
  readonly before: readonly GuildMember[];
  readonly changes: readonly MemberChange[];
  /** When the last complete list was begun; null: there was none. */
  readonly listedAt: Date | null;
  readonly now: Date;
}

/**
 * The members after the changes, and what is worth reporting: the joins and leaves of people, each once. A first list
 * reports nothing; a later one reports those who joined after the previous list was begun.
 */
export const foldChanges = ({
  before,
  changes,
  listedAt,
  now,
}: FoldOptions): { readonly after: readonly GuildMember[]; readonly events: readonly MemberEvent[] } => {
  const known = new Map(before.map((member) => [member.id, member]));
  const changed = new Map<string, GuildMember>();
  const events: MemberEvent[] = [];

  for (const change of changes) {
    if (change.kind === 'left') {
      const member = known.get(change.id);
      if (!member || member.leftAt) continue;
      events.push(...leftEvent(member, now));
      known.set(change.id, { ...member, leftAt: now });
    } else {
      const { joinedAt, ...rest } = change.member;
      const last = known.get(rest.id);
      const isHere = last?.leftAt === null;
      const knownSince = isHere ? last.joinedAt : null;
      const member = {
        ...rest,
        isPending: rest.isPending ?? false,
        joinedAt: joinedAt === null ? knownSince : new Date(joinedAt),
        leftAt: null,
      };
      const hasRejoined = isHere && isLater(member.joinedAt, last.joinedAt);
      const isNews =
        change.kind === 'joined' || (listedAt !== null && isLater(member.joinedAt ?? now, listedAt));
      // A page of the first list had them before Discord reported that they had joined.
      const isUntold = isHere && change.kind === 'joined' && listedAt === null;
      if (isNews && (!isHere || hasRejoined || isUntold)) {
        const at = member.joinedAt && member.joinedAt < now ? member.joinedAt : now;
        if (hasRejoined) events.push(...leftEvent(last, at));
        events.push(...joinedEvent(member, at));
      }
      known.set(member.id, member);
    }
    const id = change.kind === 'left' ? change.id : change.member.id;
    const member = known.get(id);
    if (member) changed.set(id, member);
  }
  return { after: [...changed.values()], events };
};

const isLater = (one: Date | null, other: Date | null): boolean =>
  one !== null && other !== null && one > other;
