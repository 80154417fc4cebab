import type { AllowedMentions } from './message-form.ts';
import { permission } from './permissions.ts';
import type { Guild, Pinged } from './state.ts';

/** Mentions inside code do not ping anyone. */
const withoutCode = (content: string): string => content.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, ' ');

const idsIn = (content: string, pattern: RegExp): string[] => [
  ...new Set([...content.matchAll(pattern)].map(([, id]) => id ?? '')),
];

/** https://docs.discord.com/developers/resources/message#allowed-mentions-object */
export const pingedBy = ({
  guild,
  content,
  allowed,
  authorPermissions,
  repliedUser,
}: {
  readonly guild: Guild;
  readonly content: string;
  /** Absent: everything that the text names is pinged. */
  readonly allowed: AllowedMentions | null | undefined;
  readonly authorPermissions: bigint;
  /** The author of the message that is replied to. */
  readonly repliedUser: string | null;
}): Pinged => {
  const text = withoutCode(content);
  const parse = allowed ? (allowed.parse ?? []) : ['users', 'roles', 'everyone'];
  const mayPingAll = (authorPermissions & permission.mentionEveryone) !== 0n;
  const users = idsIn(text, /<@!?(\d+)>/g).filter(
    (id) => guild.members.has(id) && (parse.includes('users') || allowed?.users?.includes(id)),
  );
  const roles = idsIn(text, /<@&(\d+)>/g).filter((id) => {
    const role = guild.roles.get(id);
    if (!role || !(role.mentionable || mayPingAll)) return false;
    return parse.includes('roles') || allowed?.roles?.includes(id);
  });
  if (repliedUser !== null && (allowed?.replied_user ?? !allowed) && !users.includes(repliedUser))
    users.push(repliedUser);
  const everyone = mayPingAll && parse.includes('everyone') && /@(everyone|here)\b/.test(text);
  return { users, roles, everyone };
};
