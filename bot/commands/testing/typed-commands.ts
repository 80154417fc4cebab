import type { Member, StoredMessage } from '#simulators/discord/state.ts';
import { answerTo, type BotOfATest, buttonId, textOf } from './bot-of-a-test.ts';

export type Options = Parameters<BotOfATest['people']['runCommand']>[3];

/** What people type and press in the bot's channel, and the answers they get. */
export const typedCommands = (bot: () => BotOfATest) => {
  const run = (who: Member, name: string, options: Options = {}, locale = 'en-US') =>
    bot().people.runCommand(who, bot().channel, name, options, { locale });
  const answer = async (...asked: Parameters<typeof run>) => answerTo(run(...asked));
  return {
    answer,
    said: async (...asked: Parameters<typeof run>) => textOf(await answer(...asked)),
    complete: (who: Member, name: string, options: NonNullable<Options>, focused: string) =>
      bot().people.autocomplete(who, bot().channel, name, options, focused),
    press: async (who: Member, stored: StoredMessage, label: string, locale = 'en-US') =>
      answerTo(bot().people.pressButton(who, stored, buttonId(stored, label), { locale })),
  };
};

export const isEphemeral = ({ visibleTo }: { readonly visibleTo: string | null }) => visibleTo !== null;
