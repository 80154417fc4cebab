import type { WebSocket } from 'ws';
import type { Context, Tailor } from './context.ts';
import { channelShape, guildShape, memberShape } from './shapes.ts';
import type { Guild } from './state.ts';

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-opcodes */
export const opcode = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presenceUpdate: 3,
  voiceStateUpdate: 4,
  resume: 6,
  reconnect: 7,
  requestGuildMembers: 8,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
  requestSoundboardSounds: 31,
} as const;

/** https://docs.discord.com/developers/events/gateway#list-of-intents */
export const intent = {
  guilds: 1 << 0,
  guildMembers: 1 << 1,
  guildWebhooks: 1 << 5,
  guildPresences: 1 << 8,
  guildMessages: 1 << 9,
  messageContent: 1 << 15,
} as const;

/** All bits except those without an intent: 17 to 19, 22, 23, and all above 25. */
const knownIntents = 0b11_0011_0001_1111_1111_1111_1111;

/** Privileged intents with their application flags, for many guilds and for few. */
const privileged = [
  [intent.guildPresences, (1 << 12) | (1 << 13)],
  [intent.guildMembers, (1 << 14) | (1 << 15)],
  [intent.messageContent, (1 << 18) | (1 << 19)],
] as const;

export const hasPrivilege = (flags: number, wanted: number): boolean =>
  privileged.every(([bit, either]) => !(wanted & bit) || (flags & either) !== 0);

export const areKnownIntents = (intents: unknown): intents is number =>
  Number.isInteger(intents) && ((intents as number) & ~knownIntents) === 0 && (intents as number) >= 0;

const intentOf = (event: string): number => {
  if (event.startsWith('GUILD_MEMBER_')) return intent.guildMembers;
  if (event === 'GUILD_MEMBERS_CHUNK' || event === 'INTERACTION_CREATE' || event === 'RATE_LIMITED') return 0;
  if (event.startsWith('MESSAGE_')) return intent.guildMessages;
  if (event === 'WEBHOOKS_UPDATE') return intent.guildWebhooks;
  return intent.guilds;
};

export interface Session {
  readonly id: string;
  readonly token: string;
  readonly intents: number;
  readonly shard: readonly [id: number, count: number];
  readonly largeThreshold: number;
  /** As last sent by the app. */
  presence: unknown;
  seq: number;
  /** Dispatched but not yet confirmed as received. */
  readonly unacknowledged: { op: 0; t: string; s: number; d: object }[];
  socket: WebSocket | null;
  lostAt: number | null;
}

export const sendDispatch = (session: Session, t: string, d: object): void => {
  session.seq += 1;
  const frame = { op: opcode.dispatch, t, s: session.seq, d };
  session.unacknowledged.push(frame);
  session.socket?.send(JSON.stringify(frame));
};

/** https://docs.discord.com/developers/events/gateway#sharding-sharding-formula */
export const isOfShard = (guildId: string, [id, count]: Session['shard']): boolean =>
  Number((BigInt(guildId) >> 22n) % BigInt(count)) === id;

export const offerEvent = (session: Session, event: string, data: object, guild: Guild, tailor?: Tailor) => {
  const needed = intentOf(event);
  if (needed !== 0 && !(session.intents & needed)) return;
  if (!isOfShard(guild.id, session.shard)) return;
  const fitting = tailor ? tailor(data, session) : data;
  if (fitting) sendDispatch(session, event, fitting);
};

/** https://docs.discord.com/developers/events/gateway-events#guild-create */
export const sendGuild = (session: Session, guild: Guild, botId: string): void => {
  if (!(session.intents & intent.guilds)) return;
  const members = [...guild.members.values()];
  const isLarge = members.length > session.largeThreshold;
  // All members are included only with GUILD_PRESENCES in a small guild; otherwise only the app's own.
  const all = (session.intents & intent.guildPresences) !== 0 && !isLarge;
  sendDispatch(session, 'GUILD_CREATE', {
    ...guildShape(guild),
    joined_at: guild.members.get(botId)?.joinedAt ?? new Date(0).toISOString(),
    large: isLarge,
    unavailable: false,
    member_count: members.length,
    voice_states: [],
    members: members.filter(({ user }) => all || user.id === botId).map(memberShape),
    channels: [...guild.channels.values()].map(channelShape),
    threads: [],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  });
};

const mostOfChunk = 1000;
const mostOfQuery = 100;

interface MembersRequest {
  readonly guild_id: string;
  readonly query?: string;
  readonly limit?: number;
  readonly user_ids?: string | readonly string[];
  readonly presences?: boolean;
  readonly nonce?: string;
}

/** https://docs.discord.com/developers/events/gateway-events#request-guild-members */
export const sendMembers = (
  { state, now, settings }: Context,
  session: Session,
  asked: MembersRequest,
  /** When a guild's whole list was last sent. */
  listedAt: Map<string, number>,
): void => {
  const guild = state.guilds.get(asked.guild_id);
  if (!guild) return;
  const isWhole = asked.user_ids === undefined && !asked.query && !asked.limit;
  // An answer to a request that the intents do not allow is undocumented: none is sent.
  if (isWhole && !(session.intents & intent.guildMembers)) return;
  const leftMs =
    (listedAt.get(guild.id) ?? Number.NEGATIVE_INFINITY) + settings.memberRequestWindowMs - now();
  if (isWhole && leftMs > 0) {
    const meta = { guild_id: guild.id, ...(asked.nonce !== undefined && { nonce: asked.nonce }) };
    const limited = { opcode: opcode.requestGuildMembers, retry_after: leftMs / 1000, meta };
    sendDispatch(session, 'RATE_LIMITED', limited);
    return;
  }
  if (isWhole) listedAt.set(guild.id, now());
  const ids = asked.user_ids === undefined ? null : [asked.user_ids].flat();
  const prefix = asked.query?.toLowerCase() ?? '';
  const found = [...guild.members.values()].filter(({ user, nick }) =>
    ids
      ? ids.includes(user.id)
      : [user.username, user.global_name, nick].some((name) => name?.toLowerCase().startsWith(prefix)),
  );
  const members = isWhole || ids ? found : found.slice(0, Math.min(asked.limit || mostOfQuery, mostOfQuery));
  const count = Math.max(1, Math.ceil(members.length / mostOfChunk));
  for (let index = 0; index < count; index += 1) {
    sendDispatch(session, 'GUILD_MEMBERS_CHUNK', {
      guild_id: guild.id,
      members: members.slice(index * mostOfChunk, (index + 1) * mostOfChunk).map(memberShape),
      chunk_index: index,
      chunk_count: count,
      not_found: ids?.filter((id) => !guild.members.has(id)) ?? [],
      ...(asked.presences && { presences: [] }),
      ...(asked.nonce !== undefined && { nonce: asked.nonce }),
    });
  }
};
