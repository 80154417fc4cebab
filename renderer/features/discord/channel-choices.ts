import type { GuildChannel } from '#contracts/discord-events.ts';

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

/** The chosen channel or role stays visible even if it is gone. */
export const withChosen = (
  choices: Choice[],
  id: string | null,
  unknown: (id: string) => string,
): Choice[] =>
  id === null || choices.some(({ value }) => value === id)
    ? choices
    : [{ value: id, label: unknown(id) }, ...choices];
