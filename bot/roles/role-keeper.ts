import {
  type Client,
  DiscordAPIError,
  Events,
  type Guild,
  type GuildMember,
  PermissionFlagsBits,
  type Role,
  Routes,
} from 'discord.js';
import {
  type BotRoles,
  discordRolesBotHttp,
  type RoleChange,
  type RoleChangeOutcome,
  type RoleChangeReason,
  type RoleObstacle,
} from '#contracts/discord/discord-roles.ts';
import type { Language } from '#contracts/kernel/language.ts';
import { createApiPolling } from '../api-polling.ts';
import { discordCode, untilEnded } from '../discord-request.ts';
import type { BotFeature } from '../guild-features.ts';

/**
 * Anyone with one of these can change the Discord server or its members: Discord requires a second factor for most of
 * them. https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags
 */
const dangerous = [
  PermissionFlagsBits.Administrator,
  PermissionFlagsBits.ManageGuild,
  PermissionFlagsBits.ManageRoles,
  PermissionFlagsBits.ManageChannels,
  PermissionFlagsBits.ManageWebhooks,
  PermissionFlagsBits.ManageMessages,
  PermissionFlagsBits.ManageThreads,
  PermissionFlagsBits.ManageNicknames,
  PermissionFlagsBits.ManageEvents,
  PermissionFlagsBits.ManageGuildExpressions,
  PermissionFlagsBits.KickMembers,
  PermissionFlagsBits.BanMembers,
  PermissionFlagsBits.ModerateMembers,
  PermissionFlagsBits.MuteMembers,
  PermissionFlagsBits.DeafenMembers,
  PermissionFlagsBits.MoveMembers,
  PermissionFlagsBits.MentionEveryone,
  PermissionFlagsBits.ViewAuditLog,
];

/** Events that may change which roles exist, and which of them the bot can give. */
const watched = [
  Events.GuildRoleCreate,
  Events.GuildRoleDelete,
  Events.GuildRoleUpdate,
  Events.GuildUpdate,
  Events.GuildAvailable,
  Events.ShardReady,
] as const;

interface RoleWatch extends Disposable {
  /** The current roles; the same object until something changes. Null: the bot does not see them at the moment. */
  current(): BotRoles | null;
}

/** @param onChange something may have changed */
const watchRoles = (client: Client<true>, guildId: string, onChange: () => void): RoleWatch => {
  let known: BotRoles | null = null;
  const changed = () => {
    known = null;
    onChange();
  };
  // Of all members, only the bot's own roles matter.
  const memberChanged = (_before: unknown, { id, guild }: GuildMember) => {
    if (id === client.user.id && guild.id === guildId) changed();
  };
  for (const event of watched) client.on(event, changed);
  client.on(Events.GuildMemberUpdate, memberChanged);
  return {
    current() {
      const guild = client.guilds.cache.get(guildId);
      const { me } = guild?.members ?? {};
      if (!guild?.available || !me) return null;
      known ??= { guildId, roles: rolesOf(guild, me) };
      return known;
    },
    [Symbol.dispose]() {
      for (const event of watched) client.off(event, changed);
      client.off(Events.GuildMemberUpdate, memberChanged);
    },
  };
};

const rolesOf = (guild: Guild, me: GuildMember): BotRoles['roles'] =>
  [...guild.roles.cache.values()]
    .sort((one, other) => other.comparePositionTo(one))
    .map((role) => ({ id: role.id, name: role.name, obstacle: obstacleOf(role, me) }));

const obstacleOf = (role: Role, me: GuildMember): RoleObstacle | null => {
  if (role.id === role.guild.id) return 'role-everyone';
  if (role.managed) return 'role-managed';
  if (dangerous.some((bit) => (role.permissions.bitfield & bit) !== 0n)) return 'role-dangerous';
  if (!me.permissions.has(PermissionFlagsBits.ManageRoles)) return 'role-permission-missing';
  return role.comparePositionTo(me.roles.highest) < 0 ? null : 'role-above-bot';
};

/** Shown in Discord's audit log. */
const auditReasons: Readonly<Record<Language, Readonly<Record<RoleChangeReason, string>>>> = {
  en: {
    linked: 'Castellan: has linked a player',
    points: 'Castellan: has enough points',
    hours: 'Castellan: has played long enough',
    bought: 'Castellan: bought it in the store',
    'not-earned': 'Castellan: the reason for the role no longer applies',
    refunded: 'Castellan: its purchase was refunded, or belongs to another account now',
    ended: 'Castellan: the time is over',
  },
  'pt-BR': {
    linked: 'Castellan: vinculou um jogador',
    points: 'Castellan: tem pontos suficientes',
    hours: 'Castellan: jogou tempo suficiente',
    bought: 'Castellan: comprou na loja',
    'not-earned': 'Castellan: o motivo do cargo não vale mais',
    refunded: 'Castellan: a compra foi reembolsada ou é de outra conta agora',
    ended: 'Castellan: o prazo acabou',
  },
};

/** Gives or takes a role; doing it twice has the same result as once. */
const changeRole = async ({
  client,
  guildId,
  change,
  language,
  signal,
}: {
  readonly client: Client<true>;
  readonly guildId: string;
  readonly change: RoleChange;
  readonly language: Language;
  readonly signal: AbortSignal;
}): Promise<RoleChangeOutcome> => {
  const route = Routes.guildMemberRole(guildId, change.discordId, change.roleId);
  const reason = auditReasons[language][change.because];
  const { rest } = client;
  try {
    await untilEnded(
      (ended) =>
        change.change === 'give'
          ? rest.put(route, { reason, signal: ended })
          : rest.delete(route, { reason, signal: ended }),
      signal,
    );
    return 'done';
  } catch (error) {
    if (!(error instanceof DiscordAPIError) || error.status === 401 || error.status >= 500) return 'in-doubt';
    if (error.code === discordCode.unknownMember || error.code === discordCode.unknownUser)
      return 'member-gone';
    return error.code === discordCode.unknownRole ? 'role-unknown' : 'role-refused';
  }
};

/** How often the API is asked for changes. */
const pollMs = 2000;
/** Discord may delay a change by minutes. */
const heartbeatMs = 10_000;

/** Gives and takes roles as the API hands the changes out, one after another: Discord accepts about one a second. */
export const roleKeeper: BotFeature = ({ client, guildId, api, log, signal, interval }) => {
  const { wake, poll } = createApiPolling({ log, signal, interval });
  const watch = watchRoles(client, guildId, wake);
  let reported: BotRoles | null = null;

  /** @returns false: Discord may be unreachable; other changes go first */
  const carryOut = async (change: RoleChange, language: Language): Promise<boolean> => {
    const heartbeat = setInterval(() => {
      api.call(discordRolesBotHttp.hear, { body: { guildId } }, { signal }).catch(() => undefined);
    }, heartbeatMs);
    const outcome = await changeRole({ client, guildId, change, language, signal }).finally(() =>
      clearInterval(heartbeat),
    );
    if (signal.aborted) return false;
    const params = { id: change.id };
    await api.call(discordRolesBotHttp.settle, { params, body: { guildId, outcome } }, { signal });
    return outcome !== 'in-doubt';
  };

  const turn = async (): Promise<'more' | 'in-doubt' | undefined> => {
    const current = watch.current();
    if (!current) return;
    if (current !== reported) {
      await api.call(discordRolesBotHttp.reportRoles, { body: current }, { signal });
      reported = current;
    }
    const body = { guildId };
    const { isGuildKnown, language, changes } = await api.call(
      discordRolesBotHttp.take,
      { body },
      { signal },
    );
    if (!isGuildKnown) reported = null;
    const [change] = changes;
    if (!change) return;
    // A role may have gained dangerous permissions since it was reported.
    if (watch.current() !== current) return 'more';
    return (await carryOut(change, language)) ? 'more' : 'in-doubt';
  };

  const ended = poll({ turn, restMs: () => pollMs, failure: 'could not change roles' });

  return {
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]();
      await ended;
    },
  };
};
