import type { Language } from '#contracts/kernel/language.ts';
import type { SectionValues } from '#contracts/operations/settings.ts';
import type { CommandGrammar, CommandName } from './parse-command.ts';

export interface ChatRules extends CommandGrammar {
  readonly isOpen: boolean;
  readonly productsPerPage: number;
  readonly mayBroadcast: boolean;
  /** A command's name for players: its first word, in Portuguese the second, if there is one. */
  readonly typed: (command: CommandName) => string;
}

export interface ChatSettings {
  values<Name extends 'chat-shop' | 'general'>(section: Name): Promise<SectionValues<Name>>;
}

/** The community's language: no game says which language its players speak. */
export const chatLanguage = async (settings: ChatSettings): Promise<Language> =>
  (await settings.values('general')).language;

export const readChatRules = async (settings: ChatSettings): Promise<ChatRules> => {
  const values = await settings.values('chat-shop');
  const language = await chatLanguage(settings);
  const { prefix } = values;
  const words = {
    shop: split(values.shopWords),
    buy: split(values.buyWords),
    points: split(values.pointsWords),
    claim: split(values.claimWords),
    link: split(values.linkWords),
    survivor: split(values.survivorWords),
    help: split(values.helpWords),
    redeem: split(values.redeemWords),
  };
  return {
    prefix,
    words,
    isOpen: values.isOpen,
    productsPerPage: values.productsPerPage,
    mayBroadcast: values.broadcastsWithoutPrivate,
    typed(command) {
      const [first = '', second = first] = words[command];
      return `${prefix}${language === 'en' ? first : second}`;
    },
  };
};

const split = (words: string): readonly string[] => words.split(/ +/);
