import { textKey, typedText } from './chat-commands/typed-text.ts';
import type { StorefrontContext } from './storefront-context.ts';

/** If settings from before a command was added give its word to an older command, the older one keeps it: it comes first. */
export const commandNames = ['shop', 'buy', 'points', 'claim', 'link', 'survivor', 'help', 'redeem'] as const;
export type CommandName = (typeof commandNames)[number];

export interface CommandGrammar {
  readonly prefix: string;
  readonly words: Readonly<Record<CommandName, readonly string[]>>;
}

export interface ChatRules extends CommandGrammar {
  readonly isOpen: boolean;
  readonly productsPerPage: number;
  readonly mayBroadcast: boolean;
  /** A command's name for players: its first word, in Portuguese the second, if there is one. */
  readonly typed: (command: CommandName) => string;
}

export const readChatRules = async (settings: StorefrontContext['settings']): Promise<ChatRules> => {
  const values = await settings.values('chat-shop');
  // No game says which language its players speak.
  const { language } = await settings.values('general');
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

interface TypedCommand {
  readonly command: CommandName;
  /** The text after the word, trimmed. */
  readonly argument: string;
}

const shape = /^(\S{1,40})(?: (.*))?$/su;

/** Null: the line is not a command. */
export const parseCommand = (line: string, { prefix, words }: CommandGrammar): TypedCommand | null => {
  const typed = typedText(line);
  const mark = typedText(prefix);
  if (mark === '' || !typed.startsWith(mark)) return null;
  const [, word = '', argument = ''] = shape.exec(typed.slice(mark.length)) ?? [];
  const key = textKey(word);
  const command = commandNames.find((name) => words[name].some((one) => textKey(one) === key));
  return command ? { command, argument: argument.trim() } : null;
};

/** Whether a line is for Castellan, whatever it asks for: such lines are not relayed. */
export const beginsWithPrefix = (line: string, prefix: string): boolean =>
  typedText(line).startsWith(typedText(prefix));

/** Whether it looks like the number that is whispered with a question. */
export const isNumber = (argument: string): boolean => /^\d{6}$/.test(argument);

interface TypedPurchase {
  /** A code, a number of the list, or a name. */
  readonly product: string;
  readonly quantity: number;
}

/** The most pieces in one order. */
export const mostPieces = 1000;

/** What `buy` may mean, the likeliest first: a product's name may end with a number. */
export const parsePurchase = (argument: string): readonly TypedPurchase[] => {
  const typed = argument.trim();
  if (typed === '') return [];
  const [, product, quantity] = /^(.*\S) x?(\d{1,9})x?$/iu.exec(typed) ?? [];
  const whole = { product: typed, quantity: 1 };
  return product === undefined ? [whole] : [whole, { product, quantity: Number(quantity) }];
};
