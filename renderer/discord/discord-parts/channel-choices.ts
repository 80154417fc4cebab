import type { BotGuild, GuildChannel } from '#contracts/discord/discord-events.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export const channelChoices = (
  channels: readonly Pick<GuildChannel, 'id' | 'name' | 'category'>[],
): Choice[] =>
  channels.map(({ id, name, category }) => ({
    value: id,
    label: category === null ? `#${name}` : `#${name} (${category})`,
  }));

/** Null: the bot does not know the channel. */
export const channelName = (guild: BotGuild | null, channelId: string): string | null => {
  const found = guild?.channels.find(({ id }) => id === channelId);
  return found ? `#${found.name}` : null;
};

/** The chosen channel or role stays visible even if it is gone. */
export const withChosen = (
  choices: Choice[],
  id: string | null,
  unknown: (id: string) => string,
): Choice[] =>
  id === null || choices.some(({ value }) => value === id)
    ? choices
    : [{ value: id, label: unknown(id) }, ...choices];
