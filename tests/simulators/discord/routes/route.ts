import type { Context } from '../context.ts';
import { has, type Permission, permissionsOf } from '../permissions.ts';
import { problem } from '../problems.ts';
import { type Channel, findChannel, type Guild, type StoredFile } from '../state.ts';

export interface Call {
  readonly context: Context;
  /** Parameters of the path: `:channel` is `channel`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly files: ReadonlyMap<string, StoredFile>;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Routes of one bucket share its limit. */
  readonly bucket: string;
  /** Routes with a token in their path need no other. */
  readonly isOpen?: boolean;
  /** Answers 200 with an object or a list, 204 with null. */
  readonly handle: (call: Call) => object | null;
}

export const param = ({ params }: Call, name: string): string => params[name] ?? '';

/** The app's own permissions in a channel. */
export const ownPermissions = ({ context: { state } }: Call, guild: Guild, channel?: Channel): bigint =>
  permissionsOf(guild, state.application.id, channel);

/** The guild of the path, which the app must be on. */
export const guildOf = (call: Call): Guild => {
  const { state } = call.context;
  const guild = state.guilds.get(param(call, 'guild'));
  if (!guild?.members.has(state.application.id)) throw problem('unknownGuild');
  return guild;
};

/** The channel of the path, in which the app must have the permissions. */
export const channelOf = (
  call: Call,
  ...needed: readonly Permission[]
): { guild: Guild; channel: Channel } => {
  const { state } = call.context;
  const found = findChannel(state, param(call, 'channel'));
  if (!found) throw problem('unknownChannel');
  const bits = ownPermissions(call, found.guild, found.channel);
  if (!found.guild.members.has(state.application.id) || !has(bits, 'viewChannel'))
    throw problem('missingAccess');
  if (!needed.every((name) => has(bits, name))) throw problem('missingPermissions');
  return found;
};
