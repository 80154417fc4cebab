import type {
  APIApplicationCommand,
  APIApplicationCommandOption,
  APIMessage,
  APIOverwrite,
  APIRole,
  APIUser,
  APIWebhook,
} from 'discord.js';
import type { Interaction } from './interactions.ts';

export interface Member {
  readonly user: APIUser;
  nick: string | null;
  /** Without @everyone, as Discord sends them. */
  roles: string[];
  readonly joinedAt: string;
  /** Has not accepted the rules yet. A role ends it without (discord/discord-api-docs#2479). */
  pending?: boolean;
}

/** The people that a message would have notified, by its allowed_mentions. */
export interface Pinged {
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly everyone: boolean;
}

export interface StoredMessage {
  readonly message: APIMessage;
  /** Discord stores it for enforce_nonce and includes it only in the answer and the event, never in the history. */
  readonly nonce: string | number | null;
  pinged: Pinged;
  /** The only person who sees an ephemeral answer. */
  readonly visibleTo: string | null;
  edits: number;
  isDeleted: boolean;
}

/** GUILD_TEXT, GUILD_VOICE, GUILD_CATEGORY, GUILD_ANNOUNCEMENT. */
export type ChannelType = 0 | 2 | 4 | 5 | 13 | 15;

export interface Channel {
  readonly id: string;
  readonly guildId: string;
  readonly type: ChannelType;
  name: string;
  readonly topic: string | null;
  readonly parentId: string | null;
  readonly position: number;
  overwrites: APIOverwrite[];
  readonly messages: Map<string, StoredMessage>;
}

export interface Guild {
  readonly id: string;
  readonly name: string;
  readonly locale: string;
  ownerId: string;
  readonly roles: Map<string, APIRole>;
  readonly members: Map<string, Member>;
  readonly channels: Map<string, Channel>;
  /** False in an outage. */
  isAvailable: boolean;
}

export interface StoredFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** A registered command; the API's type is too wide a union to read options from. */
export type Command = Omit<APIApplicationCommand, 'options'> & {
  readonly options?: readonly APIApplicationCommandOption[];
};

export interface Application {
  readonly id: string;
  readonly name: string;
  /** https://docs.discord.com/developers/resources/application#application-object-application-flags */
  flags: number;
  readonly tokens: Set<string>;
  readonly user: APIUser;
}

export interface State {
  readonly application: Application;
  readonly guilds: Map<string, Guild>;
  readonly users: Map<string, APIUser>;
  readonly webhooks: Map<string, APIWebhook>;
  /** By scope: 'global' or a guild's id. */
  readonly commands: Map<string, readonly Command[]>;
  readonly interactions: Map<string, Interaction>;
  /** By attachment id. */
  readonly files: Map<string, StoredFile>;
  /** Pictures of webhook messages, given by address, by their hash. */
  readonly avatars: Map<string, string>;
  /** The newest message of the application that was posted with a nonce. */
  readonly nonces: Map<string, StoredMessage>;
  /** Every message ever posted, in order, including deleted and ephemeral ones. */
  readonly posted: StoredMessage[];
}

export const textChannelTypes: readonly ChannelType[] = [0, 2, 5, 13];

export const findChannel = (state: State, channelId: string): { guild: Guild; channel: Channel } | null => {
  for (const guild of state.guilds.values()) {
    const channel = guild.channels.get(channelId);
    if (channel) return { guild, channel };
  }
  return null;
};
