import { hasPrivilege, intent } from '../gateway-session.ts';
import { has, rankOf } from '../permissions.ts';
import { invalidForm, problem } from '../problems.ts';
import { channelShape, guildShape, memberShape } from '../shapes.ts';
import { byAge } from '../snowflake.ts';
import type { Guild, Member } from '../state.ts';
import { type Call, channelOf, guildOf, ownPermissions, param, type Route } from './route.ts';

const limitOf = ({ query }: Call, most: number): number => {
  const limit = Number(query.get('limit') ?? 1);
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return limit;
  const message = `int value should be between 1 and ${most}.`;
  throw invalidForm([{ path: ['limit'], code: 'NUMBER_TYPE_MAX', message }]);
};

const memberOf = (call: Call, guild: Guild): Member => {
  const id = param(call, 'user');
  const member = guild.members.get(id);
  if (member) return member;
  throw problem(call.context.state.users.has(id) ? 'unknownMember' : 'unknownUser');
};

/** Needs the privileged intent, also over REST. https://docs.discord.com/developers/resources/guild#list-guild-members */
const listMembers = (call: Call) => {
  const guild = guildOf(call);
  if (!hasPrivilege(call.context.state.application.flags, intent.guildMembers))
    throw problem('missingAccess');
  const after = call.query.get('after') ?? '0';
  return [...guild.members.values()]
    .filter(({ user }) => byAge(user.id, after) > 0)
    .sort((left, right) => byAge(left.user.id, right.user.id))
    .slice(0, limitOf(call, 1000))
    .map(memberShape);
};

const searchMembers = (call: Call) => {
  const guild = guildOf(call);
  const prefix = (call.query.get('query') ?? '').toLowerCase();
  return [...guild.members.values()]
    .filter(({ user, nick }) =>
      [user.username, user.global_name, nick].some((name) => name?.toLowerCase().startsWith(prefix)),
    )
    .slice(0, limitOf(call, 1000))
    .map(memberShape);
};

/** A role that the app may give and remove: below its own highest, and not managed by an integration. */
const assignable = (call: Call, guild: Guild, roleId: string) => {
  const role = guild.roles.get(roleId);
  if (!role) throw problem('unknownRole');
  if (role.managed || role.id === guild.id) throw problem('invalidRole');
  const isAbove = rankOf(guild, call.context.state.application.id) > role.position;
  if (!has(ownPermissions(call, guild), 'manageRoles') || !isAbove) throw problem('missingPermissions');
};

const setRoles = (call: Call, guild: Guild, member: Member, roles: readonly string[]) => {
  const isSame = roles.length === member.roles.length && roles.every((id) => member.roles.includes(id));
  member.roles = [...new Set(roles)];
  if (isSame) return;
  const { context } = call;
  context.dispatch('GUILD_MEMBER_UPDATE', { guild_id: guild.id, ...memberShape(member) }, guild);
  context.changes.emit('change');
};

const changeRole =
  (change: (roles: readonly string[], roleId: string) => readonly string[]) => (call: Call) => {
    const guild = guildOf(call);
    const member = memberOf(call, guild);
    assignable(call, guild, param(call, 'role'));
    setRoles(call, guild, member, change(member.roles, param(call, 'role')));
    return null;
  };

/** Roles and nickname. https://docs.discord.com/developers/resources/guild#modify-guild-member */
const modifyMember = (call: Call) => {
  const guild = guildOf(call);
  const member = memberOf(call, guild);
  const { roles, nick } = call.body as { readonly roles?: readonly string[]; readonly nick?: string | null };
  if (roles) {
    const changed = [...roles, ...member.roles].filter(
      (id) => roles.includes(id) !== member.roles.includes(id),
    );
    for (const id of changed) assignable(call, guild, id);
    setRoles(call, guild, member, roles);
  }
  if (nick !== undefined) member.nick = nick || null;
  return memberShape(member);
};

const base = '/guilds/:guild';
export const guildRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: base,
    bucket: 'guild',
    handle: (call) => {
      const guild = guildOf(call);
      const count = guild.members.size;
      const isCounted = call.query.get('with_counts') === 'true';
      return {
        ...guildShape(guild),
        ...(isCounted && { approximate_member_count: count, approximate_presence_count: count }),
      };
    },
  },
  {
    method: 'GET',
    path: `${base}/channels`,
    bucket: 'guild-channels',
    handle: (call) => [...guildOf(call).channels.values()].map(channelShape),
  },
  {
    method: 'GET',
    path: `${base}/roles`,
    bucket: 'guild-roles',
    handle: (call) => [...guildOf(call).roles.values()],
  },
  { method: 'GET', path: `${base}/members`, bucket: 'list-members', handle: listMembers },
  { method: 'GET', path: `${base}/members/search`, bucket: 'list-members', handle: searchMembers },
  {
    method: 'GET',
    path: `${base}/members/:user`,
    bucket: 'get-member',
    handle: (call) => memberShape(memberOf(call, guildOf(call))),
  },
  { method: 'PATCH', path: `${base}/members/:user`, bucket: 'member-roles', handle: modifyMember },
  {
    method: 'PUT',
    path: `${base}/members/:user/roles/:role`,
    bucket: 'member-roles',
    handle: changeRole((roles, id) => [...roles, id]),
  },
  {
    method: 'DELETE',
    path: `${base}/members/:user/roles/:role`,
    bucket: 'member-roles',
    handle: changeRole((roles, id) => roles.filter((role) => role !== id)),
  },
  {
    method: 'GET',
    path: '/channels/:channel',
    bucket: 'channel',
    handle: (call) => channelShape(channelOf(call).channel),
  },
];
